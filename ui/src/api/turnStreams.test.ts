import { expect, it, vi } from "vitest";
import { createClient } from "./client";
import { createTurnStreams } from "./turnStreams";

const EVENTS = 'data: {"type":"start"}\n\ndata: [DONE]\n\n';

function server(answer: (method: string, route: string) => Response | Promise<Response>) {
  const asked: string[] = [];
  const streams = createTurnStreams(
    createClient(async (route, { method = "GET", body } = {}) => {
      asked.push(`${method} ${route}${body ? ` ${body}` : ""}`);
      return answer(method, route);
    }),
    0,
  );
  return { streams, asked };
}

const named = (body: string | null, status = 200) =>
  new Response(body, { status, headers: { "X-Assistant-Response": "r1" } });

it("goes on with the same response where the connection breaks off", async () => {
  const { streams, asked } = server((method) =>
    named(method === "POST" ? EVENTS.slice(0, 24) : "data: [DONE]\n\n"),
  );
  const reply = await streams.begin({ method: "POST" }, "t 1");
  expect(await reply.text()).toBe(EVENTS);
  expect(asked).toEqual(["POST /chat", "GET /assistant/threads/t%201/stream?response=r1&from=1"]);
});

const STOP = 'POST /assistant/threads/t1/stop {"response":"r1"}';
const running = () => named("data: {}\n\n");

it("has the server stop what is stopped here, and reads no more of it", async () => {
  const { streams, asked } = server(() => new Response(new ReadableStream(), running()));
  const stop = new AbortController();
  const reply = await streams.begin({ method: "POST", signal: stop.signal }, "t1");
  stop.abort();
  await expect(reply.text()).rejects.toThrow("aborted");
  await streams.stopped("t1");
  expect(asked).toEqual(["POST /chat", STOP]);
});

it("has the server stop what is stopped before its answer began", async () => {
  const answer = Promise.withResolvers<Response>();
  const { streams, asked } = server((_, route) => (route === "/chat" ? answer.promise : running()));
  const stop = new AbortController();
  const begun = streams.begin({ method: "POST", signal: stop.signal }, "t1");
  await vi.waitUntil(() => asked.length === 1);
  stop.abort();
  await expect(begun).rejects.toThrow("aborted");
  answer.resolve(running());
  await streams.stopped("t1");
  expect(asked).toEqual(["POST /chat", STOP]);
});

it("asks for nothing that is stopped before it was asked for", async () => {
  const { streams, asked } = server(running);
  const signal = AbortSignal.abort();
  await expect(streams.begin({ method: "POST", signal }, "t1")).rejects.toThrow("aborted");
  expect(asked).toEqual([]);
});

it("begins the next one when the server has stopped the one before and the chat is free", async () => {
  const stopping = Promise.withResolvers<Response>();
  let isHeld = true;
  const { streams, asked } = server((_, route) => {
    if (route.endsWith("/stop")) return stopping.promise;
    if (asked.length < 3) return running();
    if (!isHeld) return named(EVENTS);
    isHeld = false;
    return Response.json({ error: { code: "turn_running", message: "Held." } }, { status: 409 });
  });
  const stop = new AbortController();
  await streams.begin({ method: "POST", signal: stop.signal }, "t1");
  stop.abort();
  const next = streams.begin({ method: "POST" }, "t1");
  await vi.waitUntil(() => asked.length === 2);
  stopping.resolve(running());
  expect(await (await next).text()).toBe(EVENTS);
  expect(asked).toEqual(["POST /chat", STOP, "POST /chat", "POST /chat"]);
});

it("says of a response that runs no more that it is gone", async () => {
  const { streams } = server(() => new Response(null, { status: 204 }));
  await expect(streams.resume("t1", "r1")).rejects.toMatchObject({ details: { code: "response_gone" } });
});

it("reads a response that runs from its begin", async () => {
  const { streams, asked } = server(() => named(EVENTS));
  expect(await (await streams.resume("t1", "r1")).text()).toBe(EVENTS);
  expect(asked).toEqual(["GET /assistant/threads/t1/stream?response=r1&from=0"]);
});

it("leaves a conversation alone that the server does not keep", async () => {
  const { streams, asked } = server(() => new Response("data: {}\n\n"));
  expect(await (await streams.begin({ method: "POST" }, undefined)).text()).toBe("data: {}\n\n");
  expect(asked).toEqual(["POST /chat"]);
});
