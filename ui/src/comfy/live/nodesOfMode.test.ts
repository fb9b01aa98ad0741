import { expect, it } from "vitest";
import { withMode } from "./nodesOfMode";
import type { LiveNode } from "./page";

const node = (id: string, inner: LiveNode[] = []) =>
  ({ id, ...(inner.length > 0 && { subgraph: { nodes: inner } }) }) as unknown as LiveNode;
const outer = node("outer", [node("inner", [node("innermost")]), node("other")]);

it.each([
  ["1.32.9", ["outer", "inner", "innermost", "other"]],
  ["1.38.14", ["outer", "inner", "innermost", "other"]],
  ["1.39.0", ["outer"]],
  ["2.0.1", ["outer"]],
  [undefined, ["outer"]],
  ["odd", ["outer"]],
])("of frontend %s sets a mode on %j", (version, ids) => {
  expect(withMode({ ...(version !== undefined && { version }) }, outer).map(({ id }) => id)).toEqual(ids);
});
