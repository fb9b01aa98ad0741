import { describe, expect, it } from "vitest";
import { beside } from "./merge";
import type { JsonObject, UiWorkflow } from "./uiWorkflow";

const workflow = (type: string, extra: object = {}, links: unknown[] = [[1, 1, 0, 2, 0, "IMAGE"]]) =>
  ({
    nodes: [1, 2].map((id) => ({ id, type, pos: [0, 0], size: [200, 100] })),
    links,
    extra,
  }) as unknown as UiWorkflow & JsonObject;

const merged = (base: UiWorkflow & JsonObject, added: UiWorkflow & JsonObject) =>
  beside(base, added, () => "new") as unknown as UiWorkflow & { extra: JsonObject };

const reroute = (id: number, link: number, parentId?: number) => ({
  id,
  pos: [0, 0],
  linkIds: [link],
  ...(parentId !== undefined && { parentId }),
});

describe("a workflow that is put beside another", () => {
  it("brings the points along that its links are led over", () => {
    const over = (...reroutes: object[]) => ({
      reroutes,
      linkExtensions: [{ id: 1, parentId: reroutes.length }],
    });
    const { links, extra } = merged(
      workflow("A", over(reroute(1, 1))),
      workflow("B", over(reroute(1, 1), reroute(2, 1, 1))),
    );
    expect(links).toHaveLength(2);
    expect(extra).toEqual({
      reroutes: [reroute(1, 1), reroute(2, 2), reroute(3, 2, 2)],
      linkExtensions: [
        { id: 1, parentId: 1 },
        { id: 2, parentId: 3 },
      ],
    });
  });

  it("leaves alone what the other keeps beside its nodes", () => {
    expect(
      merged(workflow("A", { ds: { scale: 2 }, packs: ["kept"] }), workflow("B", { ds: { scale: 1 } })).extra,
    ).toEqual({ ds: { scale: 2 }, packs: ["kept"] });
  });

  it("says by their new numbers which links a pack drew for the run that saved it", () => {
    expect(merged(workflow("A"), workflow("B", { links_added_by_ue: [1] })).extra).toEqual({
      links_added_by_ue: [2],
    });
  });

  it("brings along what its group nodes are made of, under a name that is free", () => {
    const groups = (made: string) => ({ groupNodes: { twice: { made } } });
    const types = ({ nodes }: UiWorkflow) => nodes.map(({ type }) => type);
    const same = merged(workflow("A", groups("a")), workflow("workflow>twice", groups("a")));
    expect([types(same), same.extra]).toEqual([["A", "A", "workflow>twice", "workflow>twice"], groups("a")]);
    const other = merged(workflow("A", groups("a")), workflow("workflow>twice", groups("b")));
    expect([types(other), other.extra]).toEqual([
      ["A", "A", "workflow>twice 2", "workflow>twice 2"],
      { groupNodes: { twice: { made: "a" }, "twice 2": { made: "b" } } },
    ]);
  });
});
