import { expect, it } from "vitest";
import { groupNodes, ownTypes } from "./ownTypes";

const inner = { type: "FaceDetailer" };
const workflow = { extra: { groupNodes: { "Face's fix": { nodes: [inner, null] }, Odd: null } } };

it("knows the type of an author's file by what the page leaves of it", () => {
  const typeOf = ownTypes(workflow);
  const noted = (type: string) => typeOf({ type, properties: { "Node name for S&R": "Segs & Mask" } });
  expect(noted("Segs  Mask")).toBe("Segs & Mask");
  expect(noted("Segs & Mask")).toBe("Segs & Mask");
  // A name for searching and replacing may be the person's own.
  expect(noted("KSampler")).toBe("KSampler");
  expect(
    ["workflowFaces fix", "workflow/Face's fix", "workflow>Face's fix", "workflows"].map((type) =>
      typeOf({ type }),
    ),
  ).toEqual([...Array.from({ length: 3 }, () => "workflow>Face's fix"), "workflows"]);
});

it("reads the nodes of group nodes, whatever else stands there", () => {
  expect(groupNodes(workflow)).toEqual(
    new Map([
      ["workflow>Face's fix", [inner]],
      ["workflow>Odd", []],
    ]),
  );
  for (const extra of [undefined, null, [], { groupNodes: "odd" }, { groupNodes: null }])
    expect([...groupNodes({ extra }).values()].flat()).toEqual([]);
});
