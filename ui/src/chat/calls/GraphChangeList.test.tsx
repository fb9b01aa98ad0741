import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { GraphChangeList } from "./GraphChangeList";
import type { GraphChange } from "./graphChanges";

const added = (count: number): GraphChange[] =>
  Array.from({ length: count }, (_, index) => ({ kind: "added", name: String(index + 1), what: "Note" }));

it("tells a single change, too, and nothing where there is none", () => {
  expect(renderToStaticMarkup(<GraphChangeList changes={added(1)} />)).toContain("<b>1</b> Note");
  expect(renderToStaticMarkup(<GraphChangeList changes={[]} />)).toBe("");
});

it("lists the first of very many, and says how many more there are", () => {
  const shown = renderToStaticMarkup(<GraphChangeList changes={added(30)} />);
  expect(shown.match(/title="Added: \d+ Note"/g)).toHaveLength(12);
  expect(shown).toContain("and 18 more");
});

it("sets the path of a node off from what is said of it", () => {
  const changes: GraphChange[] = [
    { kind: "changed", name: "12:3", what: "KSampler steps=20→30" },
    { kind: "removed", name: "", what: "7 SaveImage" },
  ];
  const shown = renderToStaticMarkup(<GraphChangeList changes={changes} />);
  expect(shown).toContain("<b>12:3</b> KSampler steps=20→30");
  expect(shown).toContain("</span> 7 SaveImage");
});
