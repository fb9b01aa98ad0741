import { describe, expect, it } from "vitest";
import { applyWorkflow } from "../applyWorkflow";
import { editWorkflow } from "../editWorkflow";
import { testCalls } from "../testing/testCall";

/** An image that is inverted in subgraph node 4, and saved. */
async function inverted() {
  const calls = testCalls(
    ["EmptyImage", "ImageInvert", "SaveImage"],
    ["1.IMAGE>2.image", "2.IMAGE>3.images"],
  );
  const edit = (...operations: object[]) => calls.call(editWorkflow, { operations });
  await edit({ op: "makeSubgraph", nodes: ["1", "2"], title: "Inner" });
  return { ...calls, edit, outer: () => calls.comfy.node("4") };
}

describe("promoting", () => {
  it("shows a widget of an inner node on the subgraph's node, under a name of one's own", async () => {
    const { edit, outer } = await inverted();
    expect(await edit({ op: "promote", to: "4:1.width", title: "size" })).toMatchObject({
      ok: true,
      data: {
        changes: { changed: { "4": 'Subgraph "Inner" +size=512', "4:1": "EmptyImage width<input" } },
      },
    });
    expect(outer()?.widgets.map(({ name, value }) => [name, value])).toEqual([["size", 512]]);
  });

  it("lets a later operation of the batch set what it shows", async () => {
    const { edit, outer } = await inverted();
    const set = { op: "set", nodes: ["4"], widgets: { width: 64 } };
    expect(await edit({ op: "promote", to: "4:1.width" }, set)).toMatchObject({ ok: true });
    expect(outer()?.widgets[0]?.value).toBe(64);
  });

  it("gives the subgraph an input and an output, which a later operation connects", async () => {
    const { edit, comfy } = await inverted();
    const result = await edit(
      { op: "add", type: "ImageInvert", as: "second", inside: "4" },
      { op: "promote", to: "second.image", title: "picture" },
      { op: "promote", from: "second.IMAGE", title: "again" },
      { op: "add", type: "EmptyImage", as: "source" },
      { op: "connect", from: "source.IMAGE", to: "4.picture" },
      { op: "connect", from: "4.again", to: "3.images" },
    );
    expect(result).toMatchObject({ ok: true });
    expect(comfy.node("3")?.inputs[0]?.linkedFrom).toMatchObject({ node: "4", name: "again" });
    expect(comfy.node("4")?.inputs.map(({ name, linkedFrom }) => [name, linkedFrom?.name])).toEqual([
      ["picture", "IMAGE"],
    ]);
  });

  it("takes a free name where the slot's own is taken", async () => {
    const { edit, outer } = await inverted();
    await edit({ op: "add", type: "EmptyImage", inside: "4" });
    await edit({ op: "promote", to: "4:1.width" }, { op: "promote", to: "4:5.width" });
    expect(outer()?.widgets.map(({ name }) => name)).toEqual(["width", "width_1"]);
  });

  it.each([
    ["outside a subgraph", { to: "3.filename_prefix" }, "SaveImage (node 3) lies in no subgraph."],
    ["what is linked", { to: "4:2.image" }, "image of ImageInvert (node 4:2) comes from 1.IMAGE."],
    [
      "an output that is shown",
      { from: "4:2.IMAGE" },
      "IMAGE of ImageInvert (node 4:2) is shown already, as IMAGE.",
    ],
    ["what is not there", { to: "4:1.depth" }, 'EmptyImage (node 4:1) has no input "depth".'],
    ["no slot", { to: "4:1" }, "Which input of EmptyImage (node 4:1)?"],
    ["two at once", { to: "4:1.width", from: "4:2.IMAGE" }, "It needs to (an input or widget) or from"],
  ])("refuses %s", async (_, slot, error) => {
    const { edit, lines } = await inverted();
    const before = lines();
    expect(await edit({ op: "promote", ...slot })).toMatchObject({
      ok: false,
      error: expect.stringContaining(error),
    });
    expect(lines()).toEqual(before);
  });
});

describe("demoting", () => {
  it("hides a widget again, and gives its value to the node inside", async () => {
    const { edit, comfy, outer } = await inverted();
    await edit(
      { op: "promote", to: "4:1.width" },
      { op: "promote", to: "4:1.height" },
      { op: "set", nodes: ["4"], widgets: { width: 64 } },
    );
    expect(await edit({ op: "demote", to: "4.width" })).toMatchObject({ ok: true });
    expect(outer()?.widgets.map(({ name }) => name)).toEqual(["height"]);
    const [image] = comfy.graph(["4"]).nodes;
    expect(image?.widgets[0]).toMatchObject({ name: "width", value: 64 });
    expect(image?.inputs.map(({ linkedFrom }) => linkedFrom?.output)).toEqual([
      undefined,
      0,
      undefined,
      undefined,
    ]);
  });

  it("tells which values of the subgraph's other nodes are gone", async () => {
    const { call, comfy, edit } = await inverted();
    await edit({ op: "promote", to: "4:1.width" });
    await call(applyWorkflow, {
      workflow: [
        "4 S1 width=64",
        "5 S1 width=32",
        'subgraph S1 "Inner" in(width) out(IMAGE<1)',
        "1 EmptyImage width<input",
        "end",
      ].join("\n"),
    });
    expect(await edit({ op: "demote", to: "4.width" })).toMatchObject({
      ok: true,
      data: { notCarriedOver: ["5.width=32"] },
    });
    expect(comfy.graph(["5"]).nodes[0]?.widgets[0]?.value).toBe(64);
    expect(comfy.graph().nodes.map(({ widgets }) => widgets.length)).toEqual([0, 0]);
  });

  it("takes a slot away, and tells which links went with it", async () => {
    const { edit, comfy } = await inverted();
    expect(await edit({ op: "demote", from: "4.IMAGE" })).toMatchObject({
      ok: true,
      data: {
        notCarriedOver: ["4.IMAGE>3.images"],
        changes: { changed: { "3": "SaveImage -images<4", "4": 'Subgraph "Inner" -IMAGE' } },
      },
    });
    expect(comfy.node("4")?.outputs).toEqual([]);
  });

  it.each([
    ["a node that is no subgraph", { to: "3.images" }, "SaveImage (node 3) is no subgraph."],
    ["what is not there", { to: "4.width" }, "(node 4) has no input"],
  ])("refuses %s", async (_, slot, error) => {
    const { edit } = await inverted();
    expect(await edit({ op: "demote", ...slot })).toMatchObject({
      ok: false,
      error: expect.stringContaining(error),
    });
  });
});
