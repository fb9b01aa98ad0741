import { describe, expect, it } from "vitest";
import { connectNodes } from "./connectNodes";
import { disconnectNodes } from "./disconnectNodes";
import { editWorkflow } from "./editWorkflow";
import { removeNode } from "./removeNode";
import { setNodeWidgetValue } from "./setNodeWidgetValue";
import { testCalls } from "./testing/testCall";

/** Nodes 1 to 3 stand inside a subgraph; 4 stays outside. */
function closedSubgraph() {
  const calls = testCalls(["EmptyImage", "EmptyImage", "ImageInvert", "EmptyImage"], ["1.IMAGE>3.image"]);
  const instance = calls.comfy.edit((editor) => editor.makeSubgraph(["1", "2", "3"], "Inner"));
  return { ...calls, instance };
}

describe("of nodes inside a subgraph that is not open", () => {
  it("a connection is told by their paths, and so is what it replaces", async () => {
    const { call, instance } = closedSubgraph();
    expect(
      await call(connectNodes, { fromNode: `${instance}:2`, toNode: `${instance}:3`, toInput: "image" }),
    ).toMatchObject({
      ok: true,
      summary: expect.stringContaining(
        `Connected ${instance}:2.IMAGE to ${instance}:3.image, replacing ${instance}:1.IMAGE.`,
      ),
      data: {
        from: `${instance}:2.IMAGE`,
        to: `${instance}:3.image`,
        replaced: `${instance}:1.IMAGE`,
      },
    });
  });

  it("a link that is taken away is told by their paths", async () => {
    const { call, instance } = closedSubgraph();
    expect(await call(disconnectNodes, { toNode: `${instance}:3`, toInput: "image" })).toMatchObject({
      ok: true,
      summary: expect.stringContaining(`Disconnected ${instance}:1.IMAGE from ${instance}:3.image.`),
      data: { from: `${instance}:1.IMAGE`, to: `${instance}:3.image` },
    });
  });

  it("a node that is removed is told by its path, and so are its links", async () => {
    const { call, instance } = closedSubgraph();
    expect(await call(removeNode, { node: `${instance}:1` })).toMatchObject({
      ok: true,
      summary: expect.stringContaining(`Removed EmptyImage (node ${instance}:1) and its link.`),
      data: { id: `${instance}:1`, removedLinks: [`${instance}:1.IMAGE to ${instance}:3.image`] },
    });
  });

  it("a value that a batch sets on the outside is named where it is inside", async () => {
    const { call, instance, comfy } = closedSubgraph();
    const sampler = comfy.edit((editor) => editor.addNode("KSampler"));
    const outer = comfy.edit((editor) => editor.makeSubgraph([sampler], "Sampling"));
    const set = (node: string, widgets: object) =>
      call(editWorkflow, { operations: [{ op: "set", nodes: [node], widgets }] });
    expect(await set(outer, { steps: 30 })).toMatchObject({
      ok: false,
      hint: expect.stringContaining(`Inside of it steps is on ${outer}:${sampler}.`),
      sendInstead: { operations: [{ op: "set", nodes: [`${outer}:${sampler}`], widgets: { steps: 30 } }] },
    });
    expect(await set(instance, { width: 8 })).toMatchObject({
      ok: false,
      hint: expect.stringContaining(`Inside of it width is on ${instance}:1, ${instance}:2.`),
    });
  });

  it("a node goes on the link out of the subgraph, behind the node that feeds it", async () => {
    const calls = testCalls(
      ["EmptyImage", "ImageInvert", "PreviewImage"],
      ["1.IMAGE>2.image", "2.IMAGE>3.images"],
    );
    const instance = calls.comfy.edit((editor) => editor.makeSubgraph(["1", "2"], "Inner"));
    const inserted = { op: "insert", type: "ImageScaleBy", from: `${instance}:2.IMAGE` };
    expect(await calls.call(editWorkflow, { operations: [inserted] })).toMatchObject({ ok: true });
    const inside = calls.comfy.graph([instance]);
    const added = inside.nodes.find(({ type }) => type === "ImageScaleBy");
    expect(added?.inputs[0]?.linkedFrom).toMatchObject({ node: "2" });
    expect(inside.scope).toMatchObject({ outputs: [{ linkedFrom: { node: added?.id } }] });
  });

  it("a node that is added in there feeds one that stands there", async () => {
    const { call, comfy, instance } = closedSubgraph();
    const operations = [
      { op: "add", type: "EmptyImage", as: "added", inside: instance },
      { op: "connect", from: "added", to: `${instance}:3.image` },
      { op: "add", type: "PreviewImage", inputs: { images: `${instance}:3.IMAGE` }, inside: instance },
    ];
    expect(await call(editWorkflow, { operations })).toMatchObject({ ok: true });
    const { nodes } = comfy.graph([instance]);
    expect(nodes.map(({ type }) => type).sort()).toEqual([
      ...["EmptyImage", "EmptyImage", "EmptyImage", "ImageInvert", "PreviewImage"],
    ]);
  });

  it("a value is told by the path", async () => {
    const { call, instance } = closedSubgraph();
    const args = { node: `${instance}:1`, widget: "width", value: 8 };
    expect(await call(setNodeWidgetValue, args)).toMatchObject({
      ok: true,
      summary: `Changed ${instance}:1 EmptyImage width=512→8.`,
      data: { node: `${instance}:1` },
    });
  });
});

it("tells a node outside of the open subgraph by its path, and not as if it lay inside", async () => {
  const { call, comfy, instance } = closedSubgraph();
  comfy.openSubgraph([instance]);
  expect(await call(removeNode, { node: "/4" })).toMatchObject({
    ok: true,
    summary: "Removed EmptyImage (node /4).",
    data: { id: "/4" },
  });
  expect(await call(removeNode, { node: "2" })).toMatchObject({
    summary: expect.stringContaining('Removed EmptyImage (node 2) (inside the open subgraph "Inner").'),
  });
});
