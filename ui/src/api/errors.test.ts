import { describe, expect, it } from "vitest";
import { detailsOf, errorFromReply, RequestError } from "./errors";

describe("errorFromReply", () => {
  it("takes code, message and hint from the extension's own error reply", () => {
    const error = { code: "busy", message: "Another turn is running.", hint: "Wait for it." };
    expect(errorFromReply(409, JSON.stringify({ error })).details).toEqual(error);
  });

  it.each([
    ["no route", 404, "404: Not Found", "not_installed"],
    ["a body that is too large", 413, "", "too_large"],
    ["an HTML page", 502, "<html>\nBad gateway", "http_502"],
    ["JSON of another shape", 400, '{"error":"no"}', "http_400"],
    ["an empty body", 500, "", "http_500"],
  ])("makes a sentence and a next step out of %s", (_, status, body, code) => {
    const error = errorFromReply(status, body);
    expect(error).toMatchObject({ status, details: { code } });
    expect(error.details.message).toMatch(/\w+.*\d{3}/);
    expect(error.details.hint).toBeTruthy();
  });

  it("quotes only the first line of a foreign body", () => {
    expect(errorFromReply(502, `${"x".repeat(500)}\nsecond`).message).toBe(
      `ComfyUI answered with status 502: ${"x".repeat(200)}…`,
    );
  });
});

describe("detailsOf", () => {
  it("calls a broken stream a lost connection that can be retried", () => {
    expect(detailsOf(new TypeError("network error"))).toMatchObject({
      code: "connection_lost",
      retryable: true,
    });
  });

  it("keeps the details of a request error", () => {
    const details = { code: "a", message: "b" };
    expect(detailsOf(new RequestError(details, 400))).toBe(details);
  });

  it("has a message even for something that is not an error", () => {
    expect(detailsOf("odd").message).not.toBe("");
  });
});
