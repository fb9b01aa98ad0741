import { expect, it } from "vitest";
import { addToStoredList, storedList } from "./storedList";
import { memoryStorage } from "./testStorage";

it("keeps the newest entries", () => {
  const storage = memoryStorage();
  for (const entry of ["a", "b", "c"]) addToStoredList(storage, "key", entry, 2);
  expect(storedList(storage, "key")).toEqual(["b", "c"]);
});

it.each(["", "{", "{}", "null"])("takes %j for an empty list", (text) => {
  const storage = memoryStorage();
  storage.setItem("key", text);
  expect(storedList(storage, "key")).toEqual([]);
});

it("lets a storage be full or forbidden", () => {
  const no = () => {
    throw new DOMException("forbidden", "SecurityError");
  };
  expect(storedList({ getItem: no }, "key")).toEqual([]);
  expect(() => addToStoredList({ getItem: no, setItem: no }, "key", "a", 2)).not.toThrow();
});
