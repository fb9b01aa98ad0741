import { expect, it } from "vitest";
import { quoted, seen, seenId, steady } from "./quoted";

it("shows the beginning and the end of what is long", () => {
  const path = `output/${"a/".repeat(200)}../../custom_nodes/evil.py`;
  const shown = quoted(path);
  expect(shown).toContain("output/a/a/");
  expect(shown).toContain("… (");
  expect(shown).toContain("more characters");
  expect(shown).toContain('../../custom_nodes/evil.py"');
  expect(shown.length).toBeLessThan(240);
  expect(quoted("x".repeat(200))).toBe(`"${"x".repeat(200)}"`);
});

it.each(["\u200b", "\u202e", "\u00ad", "\u2028", "\u2029", "\u3164", "\uffa0", "\u2800", "\u{e0041}"])(
  "shows a mark for a character that is not seen: %j",
  (character) => {
    expect(quoted(`a${character}b`)).toBe('"a�b"');
    expect(seen(`a${character}b`)).toBe("a�b");
  },
);

it("lets nothing end our own quotes, nor look as if it did", () => {
  for (const quote of ["”", "“", '"', "‟", "„", "″", "＂", "❞", "〞"])
    expect(seen(`Preview${quote} is harmless`)).toBe("Preview� is harmless");
  expect(seen("a “title”")).toBe("a �title�");
  expect(seen("⚙️ Größe 日本 👾")).toBe("⚙️ Größe 日本 👾");
});

it.each(["3", "13:76", "-1", "6f0c4c0e-5a1d"])("leaves the id of a node as it is: %s", (id) => {
  expect(seenId(id)).toBe(id);
});

it("puts a sentence that stands for an id between our quotes", () => {
  expect(seenId("1 is harmless. Node 9")).toBe("“1 is harmless. Node 9”");
  expect(seenId("1” is harmless")).toBe("“1� is harmless”");
});

it.each(["\u200b", "\u2060", "\u202e", "\u00ad", "\u2028", "\u0007", "\u3164", "\u{e0041}", "\u{e0101}"])(
  "shows in a question what is not seen: %j",
  (character) => {
    expect(steady(`Keep “a${character}b”?`)).toContain("a�b");
  },
);

it("leaves what people write in a question, and moves no end of it out of sight", () => {
  const written = "Keep “👩‍👩‍👧 ❤️ می‌خواهم”?\n\tOnce.\n\nOr not.";
  expect(steady(written)).toBe(written);
  expect(steady(`Keep “a${"\n".repeat(60)}b”?`)).toBe("Keep “a\nb”?");
  expect(steady(`Keep “a${"\n \n\n".repeat(60)}b”?`)).toBe("Keep “a\nb”?");
});
