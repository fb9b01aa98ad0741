import { describe, expect, it } from "vitest";
import { createAssistantApi } from "./assistantApi";

function apiThatAnswers(reply: (route: string, init?: RequestInit) => Response | Error) {
  const requests: { route: string; method: string; body: unknown }[] = [];
  const api = createAssistantApi(async (route, init) => {
    requests.push({
      route,
      method: init?.method ?? "GET",
      body: init?.body && JSON.parse(String(init.body)),
    });
    const answer = reply(route, init);
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { api, requests };
}

describe("createAssistantApi", () => {
  it("asks for a thread's tail and escapes its id", async () => {
    const { api, requests } = apiThatAnswers(() =>
      Response.json({ id: "a/b", title: null, total: 0, messages: [] }),
    );
    await api.thread("a/b", 60);
    expect(requests).toEqual([
      { route: "/assistant/threads/a%2Fb?tail=60&live=true", method: "GET", body: undefined },
    ]);
  });

  it("reads back what a handle names", async () => {
    const { api, requests } = apiThatAnswers(() => Response.json({ ref: "r1", text: "all of it" }));
    expect(await api.readBack("t", "r 1")).toBe("all of it");
    expect(requests[0]?.route).toBe("/assistant/threads/t/handles/r%201");
  });

  it("declares JSON in every request that changes something, with or without a body", async () => {
    const types: unknown[] = [];
    const api = createAssistantApi(async (_, init) => {
      types.push([init?.method, new Headers(init?.headers).get("content-type")]);
      return init?.method === "GET" ? Response.json({ threads: [] }) : new Response(null, { status: 204 });
    });
    await api.threads();
    await api.renameThread("a", "b");
    await api.deleteThread("a");
    await api.context.removePin("a", "p");
    expect(types).toEqual([
      ["GET", null],
      ["PATCH", "application/json"],
      ["DELETE", "application/json"],
      ["DELETE", "application/json"],
    ]);
  });

  it("never sends a lone surrogate", async () => {
    const { api, requests } = apiThatAnswers(() => new Response(null, { status: 204 }));
    await api.renameThread("a", "half \ud83d");
    expect(requests[0]?.body).toEqual({ title: "half \ufffd" });
  });

  it("lists a skill of the user's before a system skill of the same name, once", async () => {
    const { api } = apiThatAnswers((route) =>
      Response.json({ skills: [{ slug: "one", name: "one", description: route.split("/")[1] }] }),
    );
    expect((await api.context.skills()).skills).toMatchObject([
      { slug: "one", name: "one", description: "user-context" },
    ]);
  });

  it("turns a network failure into an error that says so", async () => {
    const { api } = apiThatAnswers(() => new TypeError("Failed to fetch"));
    await expect(api.status()).rejects.toMatchObject({
      status: 0,
      details: { code: "comfyui_unreachable" },
    });
  });

  it("lets an abort through as an abort", async () => {
    const { api } = apiThatAnswers(() => new DOMException("Stopped", "AbortError"));
    await expect(api.turns.begin({ method: "POST" }, "t1")).rejects.toMatchObject({ name: "AbortError" });
  });

  it("names the reply's own error before a turn begins", async () => {
    const { api } = apiThatAnswers(() =>
      Response.json({ error: { code: "busy", message: "Busy.", hint: "Wait." } }, { status: 409 }),
    );
    await expect(api.turns.begin({ method: "POST" }, "t1")).rejects.toMatchObject({
      status: 409,
      details: { code: "busy" },
    });
  });
});
