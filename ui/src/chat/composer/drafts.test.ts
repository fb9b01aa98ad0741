import { expect, it } from "vitest";
import { memoryStorage } from "../../shared/testStorage";
import { createDrafts } from "./drafts";

it("keeps one draft per thread", () => {
  const drafts = createDrafts({ texts: memoryStorage(), files: memoryStorage() });
  drafts.write("one", "hello");
  drafts.write("two", "world");
  expect([drafts.read("one"), drafts.read("two"), drafts.read("three")]).toEqual(["hello", "world", ""]);
});

const cat = {
  name: "input/cat.png",
  contentType: "image/jpeg",
  content: [{ type: "image" as const, image: "data:image/jpeg;base64,AAAA" }],
};

it("keeps the files of a draft, unless they would leave ComfyUI no room", () => {
  const drafts = createDrafts({ texts: memoryStorage(), files: memoryStorage() });
  drafts.writeFiles("one", [cat]);
  expect(drafts.readFiles("one")).toEqual([cat]);
  drafts.writeFiles("one", [{ ...cat, content: [{ type: "text", text: "x".repeat(1_000_000) }] }]);
  expect(drafts.readFiles("one")).toEqual([]);
});

it("takes kept files that cannot be read for none", () => {
  const files = memoryStorage();
  const drafts = createDrafts({ texts: memoryStorage(), files });
  drafts.writeFiles("one", [cat]);
  for (const key of files.entries.keys()) files.entries.set(key, "{");
  expect(drafts.readFiles("one")).toEqual([]);
});

it("leaves nothing behind once the text is sent", () => {
  const storage = memoryStorage();
  const drafts = createDrafts({ texts: storage, files: storage });
  drafts.write("one", "hello");
  drafts.writeFiles("one", [cat]);
  drafts.write("one", "");
  drafts.writeFiles("one", []);
  expect(storage.entries.size).toBe(0);
});

it("goes on without a draft when the browser forbids storage", () => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  const forbidden = { getItem: refuse, setItem: refuse, removeItem: refuse };
  const drafts = createDrafts({ texts: forbidden, files: forbidden });
  drafts.write("one", "hello");
  drafts.writeFiles("one", [cat]);
  expect(drafts.read("one")).toBe("");
  expect(drafts.readFiles("one")).toEqual([]);
});
