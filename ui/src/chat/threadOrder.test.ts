import { expect, it } from "vitest";
import { byNewest } from "./threadOrder";

it("puts the newest chat first, and one that has no time yet before it", () => {
  const thread = (id: string, at?: string) => ({
    id,
    isRunning: false,
    lastMessageAt: at ? new Date(at) : undefined,
  });
  const threads = [
    thread("old", "2026-01-01"),
    thread("begun"),
    thread("new", "2026-02-01"),
    thread("also begun"),
  ];
  expect(byNewest(threads).map(({ id }) => id)).toEqual(["begun", "also begun", "new", "old"]);
});
