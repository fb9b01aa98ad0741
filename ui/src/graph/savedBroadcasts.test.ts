import { expect, it } from "vitest";
import { savedBroadcasts, withoutDrawnLinks } from "./savedBroadcasts";
import type { UiWorkflow } from "./uiWorkflow";

const link = (downstream: number | string, more: object = {}) => ({
  ...{ downstream, downstream_slot: 0, upstream: "1", upstream_slot: 0, controller: 3, type: "MODEL" },
  ...more,
});

const workflow = (...links: unknown[]) =>
  ({
    nodes: [
      { id: 1, type: "Loader", outputs: [{ name: "MODEL", type: "MODEL", links: [] }] },
      { id: 2, type: "KSampler", inputs: [{ name: "model", type: "MODEL", link: null }] },
      { id: 3, type: "Broadcast" },
      { id: 4, type: "KSampler", inputs: [{ name: "model", type: "MODEL", link: 7 }] },
    ],
    links: [],
    extra: { ue_links: links },
  }) as unknown as UiWorkflow;

it("are read from where the pack keeps them, but for inputs with a wire and nodes that are gone", () => {
  expect(savedBroadcasts(workflow(link(2), link("4"), link(9), link(2, { downstream_slot: 5 })))).toEqual([
    { place: [], node: "2", input: "model", source: "1", output: 0, outputs: ["MODEL"], via: "3" },
  ]);
});

it.each([[undefined], ["text"], [link(2, { upstream: null })]])("are none where it keeps %o", (kept) => {
  expect(savedBroadcasts(workflow(kept))).toEqual([]);
});

it("The note of links that were drawn for a run alone is left out, inside of subgraphs as well", () => {
  const noted = (more: object) => ({ nodes: [], links: [], ...more });
  expect(
    withoutDrawnLinks({
      ...noted({ extra: { links_added_by_ue: [3], ds: 1 } }),
      definitions: { subgraphs: [noted({ id: "s", extra: { links_added_by_ue: [4] } })] },
    }),
  ).toEqual({
    ...noted({ extra: { ds: 1 } }),
    definitions: { subgraphs: [noted({ id: "s", extra: {} })] },
  });
  expect(withoutDrawnLinks(noted({}))).toEqual(noted({}));
});
