import { expect, it } from "vitest";
import { chatsOfFile, nameOfFile } from "./chatsOfFile";

const thread = (id: string, workflow: string | undefined, day: number) => ({
  ...{ id, remoteId: id, isRunning: false, lastMessageAt: new Date(2026, 1, day), custom: { workflow } },
});

it("finds the chats about a file, the newest first", () => {
  const threads = [thread("a", "workflows/cat.json", 1), thread("b", "workflows/dog.json", 2)];
  threads.push(thread("c", "workflows/cat.json", 3), thread("d", undefined, 4));
  const found = (newer: [string, string][] = []) =>
    chatsOfFile(threads, "workflows/cat.json", new Map(newer)).map(({ id }) => id);
  expect(found()).toEqual(["c", "a"]);
  expect(
    found([
      ["c", "workflows/dog.json"],
      ["d", "workflows/cat.json"],
    ]),
  ).toEqual(["d", "a"]);
});

it.each([
  ["workflows/cats/portrait.json", "portrait"],
  ["portrait.v2.JSON", "portrait.v2"],
])("calls %s %s", (file, name) => {
  expect(nameOfFile(file)).toBe(name);
});
