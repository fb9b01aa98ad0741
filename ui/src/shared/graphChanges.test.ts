import { expect, it } from "vitest";
import { linksInWords } from "./graphChanges";

it.each([
  ["KSampler steps=20→30 model<4→9", "KSampler steps=20→30 model from 9"],
  ["SaveImage images<72", "SaveImage images from 72"],
  ["KSampler -positive<6", "KSampler positive without 6"],
  ['S1 "in put"<12:9."OUT 2"', 'S1 "in put" from 12:9."OUT 2"'],
  [
    "Changed 3 SaveImage images<5→72; removed 5 VAEDecode.",
    "Changed 3 SaveImage images from 72; removed 5 VAEDecode.",
  ],
  ["image<input", "image from input"],
])("tells %s in words", (what, words) => {
  expect(linksInWords(what)).toBe(words);
});

it.each(['CLIPTextEncode text="a <b x<3" c="→"', 'Node values=["a<3",{"b<4":1}]', "Note", 'titled "1<2"'])(
  "leaves the values of %s alone",
  (what) => {
    expect(linksInWords(what)).toBe(what);
  },
);
