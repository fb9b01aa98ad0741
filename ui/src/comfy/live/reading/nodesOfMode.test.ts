import { expect, it } from "vitest";
import type { LiveNode } from "../page";
import { withMode } from "./nodesOfMode";

const node = (id: string, inner: LiveNode[] = []) =>
  ({ id, ...(inner.length > 0 && { subgraph: { nodes: inner } }) }) as unknown as LiveNode;
const outer = node("outer", [node("inner", [node("innermost")]), node("other")]);

it.each([
  ["1.32.9", ["outer", "inner", "other", "innermost"]],
  ["1.38.14", ["outer", "inner", "other", "innermost"]],
  ["1.39.0", ["outer"]],
  ["2.0.1", ["outer"]],
  [undefined, ["outer"]],
  ["odd", ["outer"]],
])("of frontend %s sets a mode on %j", (version, ids) => {
  expect(withMode({ ...(version !== undefined && { version }) }, outer).map(({ id }) => id)).toEqual(ids);
});

it("meets the nodes of a subgraph that is used many times once", () => {
  const subgraphs = (depth: number): LiveNode["subgraph"] => {
    const inner = depth > 0 ? subgraphs(depth - 1) : undefined;
    const nodes = ["1", "2"].map((id) => ({ id: `${depth} ${id}`, ...(inner && { subgraph: inner }) }));
    return { nodes } as unknown as LiveNode["subgraph"];
  };
  const twice = { id: "outer", subgraph: subgraphs(40) } as unknown as LiveNode;
  expect(withMode({ version: "1.32.9" }, twice)).toHaveLength(1 + 2 * 41);
});
