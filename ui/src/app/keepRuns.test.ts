import { expect, it } from "vitest";
import type { RunEvent } from "../comfy/bridge";
import { keepRuns } from "./keepRuns";

it("tells the server of runs that have ended, and of nothing else", () => {
  const listeners: ((event: RunEvent) => void)[] = [];
  const told: unknown[] = [];
  keepRuns(
    {
      subscribe: (listener) => {
        listeners.push(listener);
        return () => {};
      },
    },
    async (...request) => {
      told.push(request);
      throw new Error("no server");
    },
  );
  for (const event of [
    { type: "started", promptId: "p1" },
    { type: "stirred" },
    { type: "settled", promptId: "p1" },
  ] as const)
    for (const listener of listeners) listener(event);
  expect(told).toEqual([["POST", "/assistant/runs", { promptId: "p1" }]]);
});
