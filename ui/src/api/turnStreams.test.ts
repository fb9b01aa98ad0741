import { expect, it } from "vitest";
import { createClient } from "./client";
import { createTurnStreams } from "./turnStreams";

const EVENTS = 'data: {"type":"start"}\n\ndata: [DONE]\n\n';

function server(answer: (method: string, route: string) => Response) {
  const asked: string[] = [];
  const streams = createTurnStreams(
    createClient(async (route, { method = "GET" } = {}) => {
      asked.push(`${method} ${route}`);
      return answer(method, route);
    }),
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

it("has the server stop what is stopped here", async () => {
  const { streams, asked } = server(() => named(EVENTS));
  const stop = new AbortController();
  await streams.begin({ method: "POST", signal: stop.signal }, "t1");
  stop.abort();
  expect(asked).toEqual(["POST /chat", "POST /assistant/threads/t1/stop"]);
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
