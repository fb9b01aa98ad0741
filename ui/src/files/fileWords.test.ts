import { expect, it } from "vitest";
import type { ProjectFile } from "./filesApi";
import { sizeOf, stateOf, takenRoom } from "./fileWords";

const file: ProjectFile = {
  path: "a.md",
  name: "a.md",
  bytes: 10,
  characters: 10,
  tokens: 3,
  isOn: true,
  problem: "",
  isRead: true,
  isWhole: true,
};

it.each([
  [1, "1 byte"],
  [860, "860 bytes"],
  [12_300, "12 kB"],
  [999_700, "1.0 MB"],
  [3_400_000, "3.4 MB"],
])("writes %i bytes as %s", (bytes, words) => {
  expect(sizeOf(bytes)).toBe(words);
});

it.each<[Partial<ProjectFile>, string]>([
  [{}, "sent whole"],
  [{ isWhole: false }, "too long to send whole: searched"],
  [{ isOn: false }, "switched off"],
  [{ isWhole: false, isRead: false, characters: 0 }, "reading…"],
  [{ characters: 0, problem: "It is no text." }, "left out"],
])("says what a chat has of a file: %o", (fields, words) => {
  expect(stateOf({ ...file, ...fields }, { isSearched: true })).toBe(words);
});

it("tells otherwise of models that do not search themselves", () => {
  expect(stateOf({ ...file, isWhole: false }, { isSearched: false })).toBe("too long: only part is sent");
});

it("counts as taken what is told whole", () => {
  expect(takenRoom([file, { ...file, isOn: false }, { ...file, isWhole: false }])).toBe(3);
});
