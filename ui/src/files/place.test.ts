import { expect, it } from "vitest";
import { partsAround } from "./place";

it("counts characters as the server does, which has no halves of them", () => {
  expect(partsAround({ text: "🦊 a fox. It sleeps.", start: 100, place: { start: 109, end: 119 } })).toEqual({
    before: "🦊 a fox. ",
    marked: "It sleeps.",
    after: "",
    end: 119,
  });
});

it("marks nothing where no place is known or it lies elsewhere", () => {
  const shown = { text: "One. Two.", start: 50 };
  expect(partsAround({ ...shown, place: null })).toMatchObject({ before: "One. Two.", marked: "" });
  expect(partsAround({ ...shown, place: { start: 0, end: 9 } })).toMatchObject({
    marked: "",
    after: "One. Two.",
  });
});
