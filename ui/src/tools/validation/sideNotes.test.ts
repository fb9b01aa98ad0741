import { expect, it } from "vitest";
import type { Graph, Place } from "../../graph/graph";
import type { Installed } from "./canvas";
import { inactiveOutputs } from "./sideNotes";

const subgraph = (id: string, mode = "active") => ({ id, type: "S", title: "S", mode, subgraph: {} });
const save = (mode: string) => ({ id: "9", type: "SaveImage", title: "SaveImage", mode });

/** What is asked for a graph, and how often. */
function installed(nodesAt: (place: Place) => object[]) {
  const asked: Place[] = [];
  return {
    asked,
    definitionOf: () => ({ isOutput: true }),
    types: () => [],
    graphAt(place: Place) {
      asked.push(place);
      return { nodes: nodesAt(place) } as unknown as Graph;
    },
  } as unknown as Installed & { asked: Place[] };
}

it("names muted and bypassed outputs, also in subgraphs that are active", () => {
  const inside = installed((place) =>
    place.length > 0 ? [save("bypassed")] : [subgraph("1"), subgraph("2", "muted"), save("muted")],
  );
  expect(inactiveOutputs(inside)).toEqual(["9 SaveImage (muted)", "1:9 SaveImage (bypassed)"]);
});

it("looks into the first thousand of what a small file makes any number of", () => {
  const endless = installed(() => [subgraph("1"), subgraph("2"), save("muted")]);
  expect(inactiveOutputs(endless)).toHaveLength(endless.asked.length);
  expect(endless.asked.length).toBeLessThan(1_100);
});
