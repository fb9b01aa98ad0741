import { expect, it } from "vitest";
import { describeCompaction } from "./compactions";

const tokens = { tokensBefore: 24_100, tokensAfter: 11_500 };

it.each([
  [{ turns: 12, rounds: 30 }, "12 turns and 30 tool results summarized: 24.1k → 11.5k tokens"],
  [{ turns: 1, rounds: 0 }, "1 turn summarized: 24.1k → 11.5k tokens"],
  [{ turns: 0, rounds: 1 }, "1 tool result summarized: 24.1k → 11.5k tokens"],
  [{ turns: 4, rounds: 2, cause: "clear" }, "Context cleared: 24.1k → 11.5k tokens"],
  [{ turns: 0, rounds: 0 }, "Older messages summarized: 24.1k → 11.5k tokens"],
])("tells of %j what was summarized, and how far", (counts, expected) => {
  expect(describeCompaction({ ...counts, ...tokens })).toBe(expected);
});
