import { describe, expect, it } from "vitest";
import { arrangeNodes } from "../arrangeNodes";
import { editWorkflow } from "../editWorkflow";
import { testCalls } from "../testing/testCall";

const source = 'Source  and "flip"';

function grouped() {
  const calls = testCalls(
    ["EmptyImage", "ImageInvert", "SaveImage"],
    ["1.IMAGE>2.image", "2.IMAGE>3.images"],
  );
  calls.comfy.edit((editor) => editor.addGroup(source, ["1", "2"]));
  const edit = (...operations: object[]) => calls.call(editWorkflow, { operations });
  const modes = () => calls.comfy.graph().nodes.map(({ mode }) => mode);
  return { ...calls, edit, modes };
}

it.each([source, 'source and "flip"', `group "${source}"`, 'Group Source and "flip"'])(
  "takes %s for the nodes of that group where these change their mode",
  async (name) => {
    const { edit, modes } = grouped();
    expect(await edit({ op: "mode", nodes: [name], mode: "bypass" })).toMatchObject({
      ok: true,
      summary: expect.stringContaining("Changed 1 EmptyImage bypassed, 2 ImageInvert bypassed"),
    });
    expect(modes()).toEqual(["bypassed", "bypassed", "active"]);
  },
);

it("takes a group also with nodes beside it, each once", async () => {
  const { edit, modes } = grouped();
  await edit({ op: "mute", nodes: ["2", source, "3"] });
  expect(modes()).toEqual(["muted", "muted", "muted"]);
});

it("makes a subgraph of a group, and arranges one", async () => {
  const { edit, call, comfy } = grouped();
  expect(await call(arrangeNodes, { nodes: [source] })).toMatchObject({
    summary: expect.stringContaining("now goes around its nodes."),
  });
  await edit({ op: "makeSubgraph", nodes: [source], title: "Inside" });
  expect(comfy.graph().nodes.map(({ title }) => title)).toEqual(["Save Image", "Inside"]);
});

it("prefers a node of the same title, unless a group is said", async () => {
  const { edit, comfy, modes } = grouped();
  comfy.edit((editor) => editor.setTitle("3", source));
  await edit({ op: "bypass", nodes: [source] });
  expect(modes()).toEqual(["active", "active", "bypassed"]);
  await edit({ op: "bypass", nodes: [`group "${source}"`] });
  expect(modes()).toEqual(["bypassed", "bypassed", "bypassed"]);
});

it("asks which where several groups have the title", async () => {
  const { edit, comfy, modes } = grouped();
  comfy.edit((editor) => editor.addGroup(source, ["3"]));
  expect(await edit({ op: "bypass", nodes: [source] })).toMatchObject({
    ok: false,
    error: expect.stringContaining(`2 groups are called`),
    hint: expect.stringContaining(
      `Name one by its place from top to bottom: ${JSON.stringify(`${source} (1)`)} has 1 2, ${JSON.stringify(`${source} (2)`)} has 3.`,
    ),
  });
  expect(modes()).toEqual(["active", "active", "active"]);
  for (const name of [`${source} (2)`, `group "${source} (1)"`])
    expect(await edit({ op: "bypass", nodes: [name] })).toMatchObject({ ok: true });
  expect(modes()).toEqual(["bypassed", "bypassed", "bypassed"]);
});

it("says of a group without nodes that it has none", async () => {
  const { edit, comfy } = grouped();
  comfy.edit((editor) => editor.addGroup("Empty", []));
  expect(await edit({ op: "bypass", nodes: ["empty"] })).toMatchObject({
    ok: false,
    error: expect.stringContaining('No node lies in the group "Empty".'),
  });
});

it("renames and colors a group, and tells so", async () => {
  const { call, edit, comfy } = grouped();
  const operations = [
    { op: "color", nodes: [source], color: "green" },
    { op: "title", nodes: [`group "${source}"`], title: "First" },
  ];
  expect(await call(editWorkflow, { operations })).toMatchObject({
    summary: `Changed group "First" (was called ${JSON.stringify(source)} color green).`,
  });
  expect(comfy.graph().groups).toEqual([{ title: "First", nodes: ["1", "2"], color: "#8a8" }]);
  expect(await edit({ op: "color", nodes: ["first"], color: "green" })).toMatchObject({
    summary: 'Nothing became different: group "First" has the color green already.',
  });
  expect(await edit({ op: "color", nodes: ["first", "3"], color: "none" })).toMatchObject({
    summary: 'Changed group "First" (color pale_blue).',
  });
});

it("leaves the nodes of a group their own names and colors", async () => {
  const { edit, comfy } = grouped();
  const before = comfy.graph().nodes;
  await edit({ op: "title", nodes: [source], title: "First" });
  await edit({ op: "color", nodes: ["First"], color: "#ff0000" });
  expect(comfy.graph().nodes).toEqual(before);
});

describe("what a batch has just made", () => {
  it.each([
    ["the group's title", { title: "First" }, "First", "First"],
    ["the group's title, written as a group", { title: "First part" }, 'group "First part"', "First part"],
    ["the group's name", { as: "first" }, "first", "first"],
    ["the group's name beside a title", { as: "first", title: "First part" }, "first", "First part"],
    ["a name that is written as name", { name: "First part" }, "First part", "First part"],
  ])("is named by %s", async (_, made, reference, title) => {
    const { comfy, call, modes } = grouped();
    const operations = [
      { op: "group", nodes: ["2", "3"], ...made },
      { op: "mode", nodes: [reference], mode: "bypass" },
      { op: "color", nodes: [reference], color: "green" },
    ];
    expect(await call(editWorkflow, { operations })).toMatchObject({ ok: true });
    expect(modes()).toEqual(["active", "bypassed", "bypassed"]);
    expect(comfy.graph().groups[1]).toEqual({ title, nodes: ["2", "3"], color: "#8a8" });
  });

  it("is named by a group's new title, and by the title of a node or a subgraph", async () => {
    const { comfy, call } = grouped();
    const operations = [
      { op: "add", type: "ImageInvert", title: "Second look", inputs: { image: "1.IMAGE" } },
      { op: "mode", nodes: ["Second look"], mode: "mute" },
      { op: "title", nodes: [source], title: "Both" },
      { op: "makeSubgraph", nodes: ["Both"], title: "Inside" },
      { op: "mode", nodes: ["Inside"], mode: "bypass" },
    ];
    expect(await call(editWorkflow, { operations })).toMatchObject({ ok: true });
    const modes = comfy.graph().nodes.map(({ title, mode }) => [title, mode]);
    expect(modes).toEqual([
      ["Save Image", "active"],
      ["Second look", "muted"],
      ["Inside", "bypassed"],
    ]);
  });

  it("is named by its title in the next call, too", async () => {
    const { edit, modes } = grouped();
    await edit({ op: "group", nodes: ["2", "3"], as: "img2img" });
    await edit({ op: "mode", nodes: ["img2img"], mode: "mute" });
    expect(modes()).toEqual(["active", "muted", "muted"]);
  });
});

it("takes a group of a subgraph that is not open, by its title or with its path", async () => {
  const { edit, call, comfy } = grouped();
  await edit({ op: "makeSubgraph", nodes: ["1", "2"], title: "Inside" });
  const id = comfy.graph().nodes.find(({ subgraph }) => subgraph)?.id ?? "";
  const inside = () => comfy.graph([id]);
  const ids = inside().nodes.map((node) => node.id);
  comfy.edit((editor) => editor.within([id]).addGroup("Pair", ids));
  expect(await edit({ op: "bypass", nodes: ["Pair"] })).toMatchObject({ ok: true });
  expect(await edit({ op: "color", nodes: [`${id}:Pair`], color: "green" })).toMatchObject({ ok: true });
  expect(await call(arrangeNodes, { nodes: [`${id}:group "Pair"`] })).toMatchObject({ ok: true });
  expect(inside().nodes.map(({ mode }) => mode)).toEqual(["bypassed", "bypassed"]);
});

it("takes a group's frame away and leaves its nodes", async () => {
  const { edit, comfy } = grouped();
  expect(await edit({ op: "remove", nodes: [`group "${source}"`] })).toMatchObject({
    summary: `Removed group ${JSON.stringify(source)} (1 2).`,
  });
  expect([comfy.graph().groups, comfy.graph().nodes.length]).toEqual([[], 3]);
});

it("takes away the frame of a group of which it removes all nodes, and tells so", async () => {
  const { edit, comfy } = grouped();
  comfy.edit((editor) => editor.addGroup("Empty", []));
  expect(await edit({ op: "remove", nodes: ["1", "2"] })).toMatchObject({
    summary: expect.stringContaining(`group ${JSON.stringify(source)} (1 2)`),
  });
  expect(comfy.graph().groups.map(({ title }) => title)).toEqual(["Empty"]);
});

it("numbers groups as they are once one is gone", async () => {
  const { edit, comfy } = grouped();
  const [removed, renamed] = [
    { op: "remove", nodes: [source] },
    { op: "title", nodes: ["Last"], title: "Only" },
  ];
  comfy.edit((editor) => editor.addGroup("Last", ["3"]));
  const done = await edit(removed, renamed, { op: "group", nodes: ["1"], title: "New" });
  expect(done).toMatchObject({ ok: true });
  expect(comfy.graph().groups.map(({ title }) => title)).toEqual(["Only", "New"]);
});

it("moves a group to where the corner of its frame shall be, with the frame", async () => {
  const { edit, comfy } = grouped();
  const from = { x: -20, y: -80 };
  comfy.edit((editor) => editor.placeGroup(0, { ...from, width: 1000, height: 500 }));
  const before = comfy.graph();
  await edit({ op: "move", nodes: [source], position: { x: from.x + 50, y: from.y + 900 } });
  const after = comfy.graph();
  expect(after.groups[0]?.bounds).toMatchObject({ x: from.x + 50, y: from.y + 900 });
  const ways = after.nodes.map(({ position }, index) => [
    position.x - (before.nodes[index]?.position.x ?? 0),
    position.y - (before.nodes[index]?.position.y ?? 0),
  ]);
  expect(ways).toEqual([
    [50, 900],
    [50, 900],
    [0, 0],
  ]);
});

it("moves several nodes to where the upper left corner of all shall be, whichever is named first", async () => {
  const { edit, comfy } = grouped();
  comfy.edit((editor) => {
    editor.moveNode("1", { x: 400, y: 0 });
    editor.moveNode("2", { x: 0, y: 500 });
  });
  await edit({ op: "move", nodes: ["1", "2"], position: { x: 0, y: 2000 } });
  expect(["1", "2"].map((id) => comfy.node(id)?.position)).toEqual([
    { x: 400, y: 2000 },
    { x: 0, y: 2500 },
  ]);
});
