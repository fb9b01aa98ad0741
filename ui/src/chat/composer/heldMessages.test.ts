import { expect, it } from "vitest";
import { memoryStorage } from "../../shared/testStorage";
import { createHeldMessages } from "./heldMessages";

let ids = 0;
const page = (storage: Pick<Storage, "getItem" | "setItem"> = memoryStorage(), opened?: string) =>
  createHeldMessages(storage, opened, () => `m${++ids}`);
const said = (text: string) => [{ type: "text" as const, text }];
const cat = (size: number) => ({
  type: "file" as const,
  mediaType: "image/png",
  url: `data:image/png;base64,${"A".repeat(size)}`,
});

it("tells the page that comes what was on its way, once, and nothing that the server has", () => {
  const storage = memoryStorage();
  const before = page(storage);
  const id = before.hold("t", [...said("hello"), cat(9)]);
  before.release(before.hold("t", said("arrived")));
  expect(before.takeLeft("t")).toEqual([]);

  const next = page(storage);
  expect(next.takeLeft("other")).toEqual([]);
  expect(next.takeLeft("t")).toEqual([{ id, thread: "t", parts: [...said("hello"), cat(9)] }]);
  expect(next.takeLeft("t")).toEqual([]);
});

it("gives the first message of a chat to the thread with which the next page begins", () => {
  const storage = memoryStorage();
  page(storage).hold(undefined, said("hello"));
  expect(page(storage, "t").takeLeft(undefined)).toEqual([]);
  expect(page(storage, "t").takeLeft("t")).toMatchObject([{ parts: said("hello") }]);
  expect(page(storage).takeLeft(undefined)).toMatchObject([{ parts: said("hello") }]);
});

it("sends a message that became a draft again by its first id, and another one by its own", () => {
  const storage = memoryStorage();
  const before = page(storage);
  const id = before.hold(undefined, said("hello"));
  before.becomesDraft(id, "t");

  const next = page(storage, "t");
  expect(next.takeLeft("t")).toMatchObject([{ id, isDraft: true }]);
  for (const [thread, text] of [
    ["t", "hello, you"],
    ["other", "hello"],
  ] as const)
    expect(next.hold(thread, said(text))).not.toBe(id);
  expect(next.hold("t", said("hello"))).toBe(id);
  expect(next.hold("t", said("hello"))).not.toBe(id);
});

it("keeps the text where the files would leave ComfyUI no room", () => {
  const storage = memoryStorage();
  page(storage).hold("t", [...said("hello"), cat(1_000_000)]);
  expect(page(storage).takeLeft("t")).toMatchObject([{ parts: said("hello") }]);
});

it("goes on where the storage is forbidden or holds what is not its own", () => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  const held = page({ getItem: refuse, setItem: refuse });
  held.becomesDraft(held.hold("t", said("hello")), "t");
  expect(held.takeLeft("t")).toEqual([]);
  const odd = memoryStorage();
  odd.setItem("comfyui-assistant.held", "{");
  expect(page(odd).takeLeft("t")).toEqual([]);
});
