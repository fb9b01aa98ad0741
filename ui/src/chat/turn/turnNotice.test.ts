import { expect, it } from "vitest";
import { turnNotice } from "./turnNotice";

const data = { code: "budget", message: "The budget is reached." };

it("is told beside the answer only where it does not stand in it", () => {
  expect(turnNotice({ type: "data-notice", data, transient: true })).toEqual(data);
  expect(turnNotice({ type: "data-notice", data })).toBeUndefined();
});

it("is over with any other part", () => {
  expect(turnNotice({ type: "data-connected", data: {}, transient: true })).toBeUndefined();
});
