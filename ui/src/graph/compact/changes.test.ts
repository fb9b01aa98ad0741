import { describe, expect, it } from "vitest";
import { changesBetween, isNextSeed, withoutLooks, withTypesApart } from "./changes";
import { changeLines } from "./changeWords";
import { parseCompact } from "./parse";
import type { CompactNode, CompactWorkflow, Unwritten } from "./workflow";

const before = `3 KSampler model<4 positive<6 steps=20 seed=1
4 CheckpointLoaderSimple ckpt_name=a.safetensors
6 CLIPTextEncode "Prompt" clip<4 text="a cat"
7 S1 image<3 ^9.seed
group "All": 3 4
subgraph S1 "Inner" in(image) out(IMAGE<9)
9 Invert image<input
10 Blur image<9
end`;

/** With the ids that ComfyUI gives to subgraphs: their names. */
function read(text: string, unwritten?: Partial<Unwritten>): CompactWorkflow {
  const workflow = parseCompact(text);
  const full = (node: CompactNode): CompactNode =>
    unwritten ? { ...node, unwritten: { usual: [], fed: [], position: { x: 0, y: 0 }, ...unwritten } } : node;
  return {
    ...workflow,
    nodes: workflow.nodes.map(full),
    subgraphs: workflow.subgraphs.map((subgraph) => ({ ...subgraph, id: `id of ${subgraph.name}` })),
  };
}

const changesTo = (text: string) => changesBetween(read(before), read(text));

describe("what changed", () => {
  it.each<[string, (text: string) => string, string[]]>([
    ["is nothing when nothing did", (text) => text, []],
    ["is a node that came", (text) => `5 SaveImage images<7\n${text}`, ["+ 5 SaveImage images<7"]],
    [
      "is a node that went",
      (text) => text.replace(/^4.*\n/, "").replace(/\n4 .*\n/, "\n"),
      ["- 4 CheckpointLoaderSimple"],
    ],
    ["is a value", (text) => text.replace("steps=20", "steps=30"), ["~ 3 KSampler steps=20→30"]],
    ["is a widget that is gone", (text) => text.replace(" steps=20", ""), ["~ 3 KSampler -steps"]],
    ["is a widget that is new", (text) => text.replace("seed=1", "seed=1 cfg=7"), ["~ 3 KSampler +cfg=7"]],
    ["is a link", (text) => text.replace("positive<6", "positive<9.B"), ["~ 3 KSampler positive<6→9.B"]],
    ["is a link that is new", (text) => text.replace(" seed", " vae<4 seed"), ["~ 3 KSampler vae<4"]],
    ["is a link that was cut", (text) => text.replace(" positive<6", ""), ["~ 3 KSampler -positive<6"]],
    ["is a mode", (text) => text.replace("3 KSampler", "3 KSampler bypassed"), ["~ 3 KSampler bypassed"]],
    ["is a title", (text) => text.replace('"Prompt"', '"Good"'), ['~ 6 CLIPTextEncode titled "Good"']],
    ["is no title", (text) => text.replace(' "Prompt"', ""), ["~ 6 CLIPTextEncode untitled"]],
    [
      "is another type under the same id, with what both types have",
      (text) => text.replace("10 Blur image<9", "10 Sharpen image<input"),
      ["~ 7:10 Blur→Sharpen image<9→input"],
    ],
    [
      "is another type with values of its own",
      (text) => text.replace("10 Blur image<9", "10 Sharpen image<9 alpha=0.5"),
      ["~ 7:10 Blur→Sharpen +alpha=0.5"],
    ],
    ["has the members of a group in another order", (text) => text.replace('"All": 3 4', '"All": 4 3'), []],
    ["is a group", (text) => text.replace('"All": 3 4', '"All": 3'), ['~ group "All": -4']],
    ["joins a group", (text) => text.replace('"All": 3 4', '"All": 4 6'), ['~ group "All": +6 -3']],
    [
      "is a group of another name",
      (text) => text.replace('"All": 3 4', '"Some": 3 4'),
      ['~ group "Some": was called "All"'],
    ],
    [
      "is a group of another name and of other nodes",
      (text) => text.replace('"All": 3 4', '"Some": 3'),
      ['- group "All": 3 4', '+ group "Some": 3'],
    ],
    [
      "is a group inside a subgraph",
      (text) => text.replace("\nend", '\ngroup "Inside": 9 10\nend'),
      ['+ group "Inside": 7:9 7:10'],
    ],
    [
      "is what a subgraph shows",
      (text) => text.replace("^9.seed", "^9.steps"),
      ['~ 7 Subgraph "Inner" -^9.seed ^9.steps'],
    ],
    [
      "is what goes into and comes out of a subgraph",
      (text) => text.replace("in(image) out(IMAGE<9)", "in(image strength) out(MASK<9)"),
      ['~ 7 Subgraph "Inner" -IMAGE +strength +MASK'],
    ],
    [
      "is a widget that a subgraph has got",
      (text) => text.replace("in(image)", "in(image size)").replace("7 S1", "7 S1 size=512"),
      ['~ 7 Subgraph "Inner" +size=512'],
    ],
    [
      "is what an output of a subgraph comes from",
      (text) => text.replace("out(IMAGE<9)", "out(IMAGE<10)"),
      ["~ 7:output IMAGE<9→10"],
    ],
    [
      "is a subgraph that came, with what is inside",
      (text) => `8 S2\n${text}\nsubgraph S2 "New" in() out()\n1 Invert\nend`,
      ['+ 8 Subgraph "New"', "+ 8:1 Invert"],
    ],
  ])("%s", (_, change, lines) => {
    expect(changeLines(changesTo(change(before)))).toEqual(lines);
  });

  it("is the new one of two long texts, from where it differs", () => {
    const text = (ending: string) => read(`6 CLIPTextEncode text="${"a ".repeat(200)}${ending}"`);
    const [line] = changeLines(changesBetween(text("cat and more"), text("dog")), [], { valueLength: 60 });
    expect(line).toBe(
      '~ 6 CLIPTextEncode text→…" a a a a a a a a a a a a a a a a a a a a a a a a a a a a dog"',
    );
  });

  it("is the whole new value, where the old one has no room beside it", () => {
    const changes = changesBetween(
      read(`6 CLIPTextEncode text="${"old ".repeat(20)}"`),
      read('6 CLIPTextEncode text="a red fox"'),
    );
    expect(changeLines(changes, [], { valueLength: 60 })).toEqual(['~ 6 CLIPTextEncode text→"a red fox"']);
  });

  it("is where nodes went that are in a subgraph now", () => {
    const changes = changesBetween(
      read("3 KSampler\n9 Invert\n10 Blur image<9"),
      read('3 KSampler\n11 S1\nsubgraph S1 "New" in() out()\n9 Invert\n10 Blur image<9\nend'),
    );
    expect(changes.nodes.filter(({ kind }) => kind === "removed").map(({ movedInto }) => movedInto)).toEqual([
      "11",
      "11",
    ]);
    expect(changeLines(changes)[0]).toBe('+ 11 Subgraph "New" (9 10 moved into it)');
    expect(changeLines(changes).filter((line) => line.startsWith("-"))).toEqual([]);
  });

  it("is told with the value that a widget had by default", () => {
    const was = read("3 KSampler", { usual: [{ name: "steps", value: 20 }] });
    expect(changeLines(changesBetween(was, read("3 KSampler steps=30")))).toEqual([
      "~ 3 KSampler steps=20→30",
    ]);
  });

  it("is the place and the color of a node, unless somebody only asks what is run", () => {
    const moved = changesBetween(
      read("3 KSampler", {}),
      read("3 KSampler", { position: { x: 5, y: 0 }, color: "#ff0000" }),
    );
    expect(changeLines(moved)).toEqual(["~ 3 KSampler color #ff0000 moved 5 px right"]);
    expect(changeLines(withoutLooks(moved))).toEqual([]);
  });

  it("is a text that a node shows of a run, unless somebody only asks what is run", () => {
    const shown = (value: string) => read("3 KSampler", { usual: [{ name: "text", value, isShown: true }] });
    for (const was of [read("3 KSampler", {}), shown("a cat")]) {
      expect(changeLines(changesBetween(was, shown("a dog")))).toHaveLength(1);
      expect(changeLines(withoutLooks(changesBetween(was, shown("a dog"))))).toEqual([]);
      expect(changeLines(withoutLooks(changesBetween(shown("a dog"), was)))).toEqual([]);
    }
  });

  it("is a color of ComfyUI's menu by its name", () => {
    const colored = changesBetween(read("3 KSampler", {}), read("3 KSampler", { color: "#323" }));
    expect(changeLines(colored)).toEqual(["~ 3 KSampler color purple"]);
  });

  it("is two nodes where another type means another node", () => {
    const replaced = changesTo(before.replace("10 Blur image<9", "10 Sharpen image<input"));
    expect(changeLines(withTypesApart(replaced))).toEqual(["- 7:10 Blur", "+ 7:10 Sharpen image<input"]);
  });

  it("is a seed that a run has moved on, and nothing else", () => {
    const isSeed = (text: string) => changesTo(text).nodes.map(isNextSeed);
    expect(isSeed(before.replace("seed=1", "seed=2"))).toEqual([true]);
    expect(isSeed(before.replace("seed=1", "seed=2 steps=9"))).toEqual([false]);
    expect(isSeed(before.replace("model<4", "model<6"))).toEqual([false]);
  });
});

describe("a node inside a subgraph", () => {
  const twice = before.replace("7 S1", "50 S1\n7 S1");

  it("is named by every path that leads to it", () => {
    const changes = changesBetween(read(twice), read(twice.replace("9 Invert", "9 Invert strength=2")));
    expect(changes.nodes.map(({ graph, node, places }) => ({ graph, node, places }))).toEqual([
      { graph: "id of Inner", node: "9", places: [["50"], ["7"]] },
    ]);
    expect(changeLines(changes)).toEqual(["~ 50:9 Invert +strength=2 (also 7:9)"]);
  });

  it("goes by its plain id while its subgraph is open, and the workflow's own nodes by a path", () => {
    const changed = twice.replace("9 Invert", "9 Invert strength=2").replace("steps=20", "steps=30");
    expect(changeLines(changesBetween(read(twice), read(changed)), ["7"])).toEqual([
      "~ /3 KSampler steps=20→30",
      "~ 9 Invert +strength=2",
    ]);
  });

  it("is what it was when its subgraph is met after another one", () => {
    const other = '1 S1\nsubgraph S1 "Other" in() out()\n9 Blur\nend';
    const [nodes, subgraph] = before.replaceAll("S1", "S2").split(/(?=^subgraph)/m);
    const [instance, definition] = other.split(/\n(?=subgraph)/);
    const lines = changeLines(changesTo([instance, nodes?.trim(), definition, subgraph].join("\n")));
    expect(lines).toEqual(['+ 1 Subgraph "Other"', "+ 1:9 Blur"]);
  });
});
