import { expect, it } from "vitest";
import { type Problem, problemsData } from "./problem";

it("tells a fix once, at the first node that it is for", () => {
  const missing = (node: string, fix: string): Problem => ({
    kind: "missing-type",
    node,
    found: "Not there.",
    fix,
  });
  const fix = "findMissing tells what brings it, and installs it where it can.";
  const all = [missing("3", fix), missing("12:4", fix), missing("5", "Mend it."), missing("6", "Mend it.")];
  expect(problemsData(all).map((each) => each.fix)).toEqual([fix, "As for 3.", "Mend it.", "Mend it."]);
});
