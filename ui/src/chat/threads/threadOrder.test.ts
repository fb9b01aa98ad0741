import { expect, it } from "vitest";
import { inOrder } from "./threadOrder";

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
  expect(inOrder(threads).map(({ id }) => id)).toEqual(["begun", "also begun", "new", "old"]);
});

it("puts pinned chats before all others", () => {
  const thread = (id: string, day: number, pinned: boolean) => ({
    id,
    isRunning: false,
    lastMessageAt: new Date(2026, 0, day),
    custom: { pinned },
  });
  const threads = [thread("new", 9, false), thread("kept", 1, true), thread("kept too", 5, true)];
  expect(inOrder(threads).map(({ id }) => id)).toEqual(["kept too", "kept", "new"]);
});
