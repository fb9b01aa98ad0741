import { expect, it } from "vitest";
import { wellFormed } from "./wellFormed";

it("replaces lone surrogates wherever they stand and keeps everything else", () => {
  const half = "\ud83d";
  expect(wellFormed({ [`a${half}`]: [`b${half}`, 1, null, true, { c: "😀" }] })).toEqual({
    "a\ufffd": ["b\ufffd", 1, null, true, { c: "😀" }],
  });
});
