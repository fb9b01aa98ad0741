import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { GraphChangeList } from "./GraphChangeList";
import type { GraphChange } from "./graphChanges";

const added = (count: number): GraphChange[] =>
  Array.from({ length: count }, (_, index) => ({ kind: "added", id: String(index + 1), what: "Note" }));

it("leaves a single change to the tool's own line", () => {
  expect(renderToStaticMarkup(<GraphChangeList changes={added(1)} />)).toBe("");
});

it("lists the first of very many, and says how many more there are", () => {
  const shown = renderToStaticMarkup(<GraphChangeList changes={added(30)} />);
  expect(shown.match(/title="Added: node \d+, Note"/g)).toHaveLength(12);
  expect(shown).toContain("and 18 more");
});
