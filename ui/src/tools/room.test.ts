import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { countTokens, roomOf } from "./room";

const estimates = JSON.parse(
  readFileSync(new URL("../../../tests/fixtures/token_estimates.json", import.meta.url), "utf8"),
) as Record<string, number>;

describe("the room of a result", () => {
  it.each(Object.entries(estimates))("counts %j as the server does", (text, tokens) =>
    expect(countTokens(text)).toBe(tokens),
  );

  it("holds what counts no more than its tokens, in JSON where it is no text", () => {
    const room = roomOf(30);
    expect([room.holds("x".repeat(100)), room.holds("x".repeat(101))]).toEqual([true, false]);
    expect([room.holds(["x".repeat(90)]), room.holds(["x".repeat(98)])]).toEqual([true, false]);
  });
});
