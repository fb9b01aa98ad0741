import { expect, it } from "vitest";
import { createWorkflowKeys } from "./workflowKeys";

it("tells workflows of one path apart, and knows one again whose path is another", () => {
  const keyOf = createWorkflowKeys();
  const [one, other] = [{ path: "workflows/a.json" }, { path: "workflows/a.json" }];
  const key = keyOf(one);
  one.path = "workflows/b.json";
  expect(keyOf(one)).toBe(key);
  expect(keyOf(other)).not.toBe(key);
});
