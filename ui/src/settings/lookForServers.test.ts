import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { DiscoveredEndpoint } from "../api/providers";
import { lookForServers } from "./lookForServers";

const server = (...models: string[]): DiscoveredEndpoint => ({
  kind: "any",
  label: "One",
  baseUrl: "http://127.0.0.1:1/v1",
  models,
});

/** Looks with these answers, the last of them again and again; an answer that is no list fails. */
function looking(...answers: (DiscoveredEndpoint[] | Promise<DiscoveredEndpoint[]> | Error)[]) {
  const found: DiscoveredEndpoint[][] = [];
  let asked = 0;
  const stop = lookForServers(
    async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)];
      if (answer instanceof Error) throw answer;
      return answer ?? [];
    },
    (servers) => found.push(servers),
  );
  return { found, stop, asked: () => asked };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("asks at once, and again every five seconds until a server has a model", async () => {
  const { found, asked } = looking([], [server()], [server("qwen3:8b")]);
  await vi.advanceTimersByTimeAsync(4_999);
  expect([asked(), found]).toEqual([1, [[]]]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([asked(), found]).toEqual([3, [[], [server()], [server("qwen3:8b")]]]);
  expect(vi.getTimerCount()).toBe(0);
});

it("asks nothing more while an answer is slow, and goes on five seconds after it", async () => {
  const slow = Promise.withResolvers<DiscoveredEndpoint[]>();
  const { asked } = looking(slow.promise, []);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked()).toBe(1);
  slow.resolve([]);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked()).toBe(2);
});

it("goes on after an answer that failed, and keeps what was found before", async () => {
  const { found, asked } = looking([server()], new Error("out of reach"), [server("qwen3:8b")]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([asked(), found]).toEqual([3, [[server()], [server("qwen3:8b")]]]);
});

it("asks and tells nothing once it is no longer shown, between two questions or during one", async () => {
  const between = looking([]);
  await vi.advanceTimersByTimeAsync(1);
  between.stop();
  const slow = Promise.withResolvers<DiscoveredEndpoint[]>();
  const during = looking(slow.promise);
  during.stop();
  slow.resolve([server("qwen3:8b")]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([between.asked(), between.found]).toEqual([1, [[]]]);
  expect([during.asked(), during.found]).toEqual([1, []]);
  expect(vi.getTimerCount()).toBe(0);
});
