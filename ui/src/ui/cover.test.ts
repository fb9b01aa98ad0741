import { expect, it } from "vitest";
import { cover } from "./cover";

it("covers what lies beside a view until the view goes, and leaves what was covered before", () => {
  const [view, thread, covered, drawing] = [{ inert: false }, { inert: false }, { inert: true }, {}];
  const uncover = cover(view, [thread, covered, drawing, view]);
  expect([view, thread, covered, drawing]).toEqual([{ inert: false }, { inert: true }, { inert: true }, {}]);
  uncover();
  expect([view, thread, covered]).toEqual([{ inert: false }, { inert: false }, { inert: true }]);
});
