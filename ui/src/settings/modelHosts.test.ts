import { describe, expect, it } from "vitest";
import type { AssistantApi } from "../api/assistantApi";
import { modelHosts, tokenWords } from "./modelHosts";

const host = { origin: "https://huggingface.co", name: "huggingface.co", source: "built-in" as const };

describe("modelHosts", () => {
  it("reads them, and with a change sends that first", async () => {
    const sent: unknown[] = [];
    const api = {
      send: async (...request: unknown[]) => {
        sent.push(request);
        return Response.json({ hosts: [{ ...host, token: { set: false, last4: "" } }] });
      },
    } as unknown as AssistantApi;
    await modelHosts(api);
    expect(await modelHosts(api, { host: "https://huggingface.co", token: "hf_x" })).toHaveLength(1);
    expect(sent).toEqual([
      ["GET", "/assistant/models/hosts"],
      ["PUT", "/assistant/models/hosts", { host: "https://huggingface.co", token: "hf_x" }],
    ]);
  });

  it("tells of a token only that it is there", () => {
    expect(tokenWords({ ...host, token: { set: false, last4: "" } })).toBe("no token");
    expect(tokenWords({ ...host, token: { set: true, last4: "" } })).toBe("token set");
    expect(tokenWords({ ...host, token: { set: true, last4: "cdef" } })).toBe("token …cdef");
  });
});
