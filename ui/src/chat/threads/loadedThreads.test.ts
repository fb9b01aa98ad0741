import { expect, it } from "vitest";
import { describeDamage } from "./loadedThreads";

it.each([
  [undefined, undefined],
  [[], undefined],
  [["not JSON"], "1 entry of this chat could not be read (not JSON). All others are here."],
  [
    ["not JSON", "not JSON", "cut off"],
    "3 entries of this chat could not be read (not JSON; cut off). All others are here.",
  ],
])("tells of the damage %j", (damaged, expected) => {
  expect(describeDamage({ tail: 60, ...(damaged && { damaged }) })).toBe(expected);
});
