import { expect, it } from "vitest";
import { withReroutes } from "./reroutes";
import type { JsonObject, UiWorkflow } from "./uiWorkflow";

const workflow = (value: object) =>
  ({ nodes: [], links: [], ...value }) as unknown as UiWorkflow & JsonObject;

it("keeps the points of links between the same slots, and no others", () => {
  const before = workflow({
    links: [
      [7, 1, 0, 2, 0, "IMAGE"],
      [9, 1, 0, 3, 0, "IMAGE"],
    ],
    extra: {
      reroutes: [
        { id: 1, pos: [10, 20], linkIds: [7, 9] },
        { id: 2, parentId: 1, pos: [30, 40], linkIds: [9] },
      ],
      linkExtensions: [
        { id: 7, parentId: 1 },
        { id: 9, parentId: 2 },
      ],
    },
  });
  const fresh = workflow({ links: [[1, 1, 0, 2, 0, "IMAGE"]], extra: { workflowRendererVersion: "LG" } });
  expect(withReroutes(fresh, before).extra).toEqual({
    workflowRendererVersion: "LG",
    reroutes: [{ id: 1, pos: [10, 20], linkIds: [1] }],
    linkExtensions: [{ id: 1, parentId: 1 }],
  });
  expect(withReroutes(workflow({ extra: {} }), before).extra).toEqual({});
});

it("keeps those inside of subgraphs", () => {
  const inside = (id: number, rest: object, link: object = {}) =>
    workflow({
      definitions: {
        subgraphs: [
          {
            id: "s",
            name: "S",
            nodes: [],
            links: [
              { id, origin_id: 1, origin_slot: 0, target_id: 2, target_slot: 0, type: "IMAGE", ...link },
            ],
            ...rest,
          },
        ],
      },
    });
  const before = inside(5, { reroutes: [{ id: 3, pos: [1, 2], linkIds: [5] }] }, { parentId: 3 });
  expect(withReroutes(inside(1, {}), before).definitions?.subgraphs?.[0]).toMatchObject({
    reroutes: [{ id: 3, pos: [1, 2], linkIds: [1] }],
    links: [{ id: 1, parentId: 3 }],
  });
});
