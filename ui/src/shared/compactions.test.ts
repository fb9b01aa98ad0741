import { expect, it } from "vitest";
import { describeCompaction } from "./compactions";

const tokens = { tokensBefore: 24_100, tokensAfter: 11_500 };

it.each([
  [{ turns: 12, rounds: 30 }, "12 turns and 30 tool results condensed: 24.1k → 11.5k tokens"],
  [{ turns: 1, rounds: 0 }, "1 turn condensed: 24.1k → 11.5k tokens"],
  [{ turns: 0, rounds: 1 }, "1 tool result condensed: 24.1k → 11.5k tokens"],
  [{ turns: 4, rounds: 2, cause: "clear" }, "Begun afresh: 24.1k → 11.5k tokens"],
  [{ turns: 0, rounds: 0 }, "Older messages condensed: 24.1k → 11.5k tokens"],
])("tells of %j what was condensed, and how far", (counts, expected) => {
  expect(describeCompaction({ ...counts, ...tokens })).toBe(expected);
});
