import { expect, it } from "vitest";
import { noteSize } from "./noteSize";

const note = { inputs: [], outputs: [], title: "Note", size: { width: 140, height: 60 } };

it("is as high as the lines of its text, wider for a long one, and no higher than a screen shows", () => {
  expect(noteSize(note, ["short"])).toEqual({ width: 300, height: 60 });
  expect(noteSize(note, ["one\ntwo\n\nfour"])).toEqual({ width: 300, height: 120 });
  expect(noteSize(note, ["word ".repeat(20)])).toEqual({ width: 300, height: 100 });
  expect(noteSize(note, ["word ".repeat(100)])).toEqual({ width: 440, height: 220 });
  expect(noteSize(note, ["word ".repeat(9000)])?.height).toBe(600);
});

it("is wide enough for its title", () => {
  expect(noteSize({ ...note, title: "t".repeat(50) }, ["a", "short"])?.width).toBe(410);
});

it("is none for a node that has wires or no text", () => {
  expect(noteSize(note, [" "])).toBeUndefined();
  expect(noteSize({ ...note, outputs: [{ name: "", type: "", linkedTo: [] }] }, ["text"])).toBeUndefined();
});
