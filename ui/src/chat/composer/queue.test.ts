import { describe, expect, it } from "vitest";
import { memoryStorage } from "../../shared/testStorage";
import { createQueue, type Queue } from "./queue";

let ids = 0;
const page = (storage: Pick<Storage, "getItem" | "setItem"> = memoryStorage()) =>
  createQueue(storage, () => `m${++ids}`);
const said = (text: string) => ({ text, files: [] });
const texts = (queue: Queue, thread = "t") =>
  (queue.messages.get().get(thread) ?? []).map(({ text }) => text);
const idOf = (queue: Queue, text: string) =>
  queue.messages
    .get()
    .get("t")
    ?.find((message) => message.text === text)?.id ?? "";

const cat = (size: number) => ({
  name: "input/cat.png",
  content: [{ type: "image" as const, image: "x".repeat(size) }],
});

describe("createQueue", () => {
  it("keeps the messages of each thread in their order, also for the page loaded anew", () => {
    const storage = memoryStorage();
    const queue = page(storage);
    for (const text of ["one", "two"]) queue.add("t", said(text));
    queue.add("other", said("three"));
    for (const each of [queue, page(storage)])
      expect([texts(each), texts(each, "other")]).toEqual([["one", "two"], ["three"]]);
  });

  it("gives a message out once, and takes one back to its place", () => {
    const storage = memoryStorage();
    const [queue, other] = [page(storage), page(storage)];
    for (const text of ["one", "two", "three"]) queue.add("t", said(text));
    const taken = queue.take("t", idOf(queue, "two"));
    expect(taken).toMatchObject({ message: { text: "two" }, place: 1 });
    expect(other.take("t", taken?.message.id ?? "")).toBeUndefined();
    queue.add("t", said("two again"), taken?.place);
    expect(texts(queue)).toEqual(["one", "two again", "three"]);
  });

  it("does not undo what another page did meanwhile", () => {
    const storage = memoryStorage();
    const [one, other] = [page(storage), page(storage)];
    one.add("t", said("one"));
    other.add("t", said("two"));
    one.add("t", said("three"));
    expect(texts(one)).toEqual(["one", "two", "three"]);
  });

  it("lets one that is in a hurry go first, by this page alone", () => {
    const storage = memoryStorage();
    const queue = page(storage);
    for (const text of ["one", "two"]) queue.add("t", said(text));
    const id = idOf(queue, "two");
    queue.hurry("t", id);
    expect(texts(queue)).toEqual(["two", "one"]);
    expect([queue.isUrgent("t", id), page(storage).isUrgent("t", id)]).toEqual([true, false]);
  });

  it("tells the page that comes which files were too large to be kept", () => {
    const storage = memoryStorage();
    const queue = page(storage);
    queue.add("t", { text: "small", files: [cat(10)] });
    expect(page(storage).messages.get().get("t")).toMatchObject([{ files: [cat(10)] }]);
    queue.add("t", { text: "large", files: [cat(1_000_000)] });
    expect(queue.messages.get().get("t")?.[1]?.files).toEqual([cat(1_000_000)]);
    expect(page(storage).messages.get().get("t")?.[1]).toMatchObject({ files: [], lost: ["input/cat.png"] });
  });

  it("goes on without a storage", () => {
    const refuse = () => {
      throw new DOMException("denied", "SecurityError");
    };
    const queue = page({ getItem: refuse, setItem: refuse });
    queue.add("t", said("one"));
    expect(queue.take("t", idOf(queue, "one"))).toMatchObject({ message: { text: "one" } });
    expect(texts(queue)).toEqual([]);
  });
});
