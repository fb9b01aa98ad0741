/**
 * What every `Comfy` must do, as checks that need no test framework: vitest runs them on the fake, a browser on the
 * live page. Each starts from an empty graph and uses nodes that any ComfyUI has.
 */

import { readWorkflow } from "../graph/compact/read";
import { writeCompact } from "../graph/compact/write";
import { findNode, type GraphNode, type Json, type NodeId } from "../graph/graph";
import type { Comfy, RunEvent } from "./bridge";

export interface Behaviour {
  name: string;
  check(comfy: Comfy): void | Promise<void>;
}

export const comfyBehaviours: readonly Behaviour[] = [
  {
    name: "an added node can be read back with its slots, widgets and title",
    check(comfy) {
      const id = comfy.edit((editor) => editor.addNode("EmptyImage", { title: "canvas" }));
      const node = nodeOf(comfy, id);
      expectSame(typeof id, "string");
      expectSame([node.type, node.title, node.mode], ["EmptyImage", "canvas", "active"]);
      expectSame(
        node.inputs.map(({ name, type, isWidget }) => [name, type, isWidget]),
        ["width", "height", "batch_size", "color"].map((name) => [name, "INT", true]),
      );
      expectSame(
        node.outputs.map(({ name, type, linkedTo }) => [name, type, linkedTo.length]),
        [["IMAGE", "IMAGE", 0]],
      );
      expectSame(
        node.widgets.map(
          ({ name, kind, value, min, max }): Json => [name, kind, value, min ?? null, max ?? null],
        ),
        [
          ["width", "integer", 512, 1, 16384],
          ["height", "integer", 512, 1, 16384],
          ["batch_size", "integer", 1, 1, 4096],
          ["color", "integer", 0, 0, 16777215],
        ],
      );
    },
  },
  {
    name: "a node whose type is not installed cannot be added",
    check(comfy) {
      expectThrow(() => comfy.edit((editor) => editor.addNode("NoSuchNode")));
      expectSame(comfy.graph().nodes.length, 0);
    },
  },
  {
    name: "nodes keep the position that they were given",
    check(comfy) {
      const id = comfy.edit((editor) => editor.addNode("EmptyImage", { position: { x: 330, y: 120 } }));
      expectSame({ ...nodeOf(comfy, id).position }, { x: 330, y: 120 });
    },
  },
  {
    name: "nodes without a position never overlap, and adding one moves no other",
    check(comfy) {
      const before: GraphNode[] = [];
      for (const type of ["EmptyImage", "KSampler", "SaveImage", "EmptyImage", "KSampler", "PreviewImage"]) {
        comfy.edit((editor) => editor.addNode(type));
        const { nodes } = comfy.graph();
        for (const earlier of before)
          expectSame(nodes.find(({ id }) => id === earlier.id)?.position, earlier.position);
        for (const a of nodes) for (const b of nodes) if (a.id < b.id) expectSame(overlap(a, b), false);
        before.splice(0, before.length, ...nodes);
      }
    },
  },
  {
    name: "a link is seen from both ends",
    check(comfy) {
      const { image, save } = imageAndSave(comfy);
      const { isConnected } = connect(comfy, image, save);
      expectSame(isConnected, true);
      expectSame(nodeOf(comfy, save).inputs[0]?.linkedFrom, { node: image, output: 0, name: "IMAGE" });
      expectSame(nodeOf(comfy, image).outputs[0]?.linkedTo, [{ node: save, input: 0, name: "images" }]);
    },
  },
  {
    name: "a new link into an input replaces the old one",
    check(comfy) {
      const { image, save } = imageAndSave(comfy);
      connect(comfy, image, save);
      const other = comfy.edit((editor) => editor.addNode("EmptyImage"));
      connect(comfy, other, save);
      expectSame(nodeOf(comfy, save).inputs[0]?.linkedFrom?.node, other);
      expectSame(nodeOf(comfy, image).outputs[0]?.linkedTo, []);
    },
  },
  {
    name: "a link between types that differ is refused and leaves the old link",
    check(comfy) {
      const { image, save } = imageAndSave(comfy);
      connect(comfy, image, save);
      const latent = comfy.edit((editor) => editor.addNode("EmptyLatentImage"));
      expectSame(connect(comfy, latent, save).isConnected, false);
      expectSame(nodeOf(comfy, save).inputs[0]?.linkedFrom?.node, image);
    },
  },
  {
    name: "a link can feed a widget",
    check(comfy) {
      const number = comfy.edit((editor) => editor.addNode("PrimitiveInt"));
      const image = comfy.edit((editor) => editor.addNode("EmptyImage"));
      const height = nodeOf(comfy, image).inputs.findIndex(({ name }) => name === "height");
      comfy.edit((editor) => editor.connect({ node: number, output: 0 }, { node: image, input: height }));
      expectSame(nodeOf(comfy, image).inputs[height]?.linkedFrom?.node, number);
    },
  },
  {
    name: "disconnecting an input takes away its link",
    check(comfy) {
      const { image, save } = imageAndSave(comfy);
      connect(comfy, image, save);
      comfy.edit((editor) => editor.disconnect({ node: save, input: 0 }));
      expectSame(nodeOf(comfy, save).inputs[0]?.linkedFrom, undefined);
      expectSame(nodeOf(comfy, image).outputs[0]?.linkedTo, []);
    },
  },
  {
    name: "a removed node takes its links along",
    check(comfy) {
      const { image, save } = imageAndSave(comfy);
      connect(comfy, image, save);
      comfy.edit((editor) => editor.removeNode(image));
      expectSame(
        comfy.graph().nodes.map(({ id }) => id),
        [save],
      );
      expectSame(nodeOf(comfy, save).inputs[0]?.linkedFrom, undefined);
    },
  },
  {
    name: "widgets hold what was set; numbers keep to range and step",
    check(comfy) {
      const latent = comfy.edit((editor) => editor.addNode("EmptyLatentImage"));
      const sampler = comfy.edit((editor) => editor.addNode("KSampler"));
      const set = (node: NodeId, name: string, value: Json) => {
        comfy.edit((editor) => editor.setWidget(node, name, value));
        return nodeOf(comfy, node).widgets.find((widget) => widget.name === name)?.value;
      };
      expectSame(set(latent, "width", 1001), 1000);
      expectSame(set(latent, "width", 64), 64);
      expectSame(set(sampler, "denoise", 7), 1);
      expectSame(set(sampler, "cfg", 6.5), 6.5);
      expectSame(set(sampler, "sampler_name", "heun"), "heun");
      expectThrow(() => set(sampler, "no_such_widget", 1));
    },
  },
  {
    name: "a seed comes with its control, and choices with what can be chosen",
    check(comfy) {
      const id = comfy.edit((editor) => editor.addNode("KSampler"));
      const widgets = nodeOf(comfy, id).widgets;
      const control = widgets.find(({ name }) => name === "control_after_generate");
      expectSame([control?.value, control?.choices?.includes("fixed")], ["randomize", true]);
      const sampler = widgets.find(({ name }) => name === "sampler_name");
      expectSame([sampler?.kind, sampler?.choices?.includes("euler")], ["choice", true]);
    },
  },
  {
    name: "required inputs are told from optional ones",
    check(comfy) {
      const id = comfy.edit((editor) => editor.addNode("ImageStitch"));
      expectSame(
        nodeOf(comfy, id)
          .inputs.filter(({ isWidget }) => !isWidget)
          .map(({ name, isOptional }) => [name, isOptional]),
        [
          ["image1", false],
          ["image2", true],
        ],
      );
    },
  },
  {
    name: "a definition tells title, slots, choices and ranges of an installed type",
    check(comfy) {
      const definition = comfy.nodeDefinition("KSampler");
      const input = (name: string) => definition?.inputs.find((each) => each.name === name);
      expectSame([definition?.title, definition?.isOutput], ["KSampler", false]);
      expectSame([input("model")?.type, input("model")?.widget ?? "link only"], ["MODEL", "link only"]);
      expectSame([input("steps")?.widget, input("steps")?.default, input("steps")?.min], ["integer", 20, 1]);
      expectSame(input("sampler_name")?.choices?.includes("euler"), true);
      expectSame(definition?.outputs, [{ name: "LATENT", type: "LATENT" }]);
      expectSame(comfy.nodeDefinition("SaveImage")?.isOutput, true);
      expectSame(comfy.nodeDefinition("NoSuchNode"), undefined);
      expectSame(
        [comfy.nodeTypes().includes("KSampler"), comfy.nodeTypes().includes("NoSuchNode")],
        [true, false],
      );
    },
  },
  {
    name: "what is read stays as it was when the graph changes afterwards",
    check(comfy) {
      const { image } = imageAndSave(comfy);
      const before = comfy.graph();
      comfy.edit((editor) => editor.setWidget(image, "width", 64));
      expectSame(findNode(before, image)?.widgets[0]?.value, 512);
    },
  },
  {
    name: "a workflow that is read as a whole can be loaded again, and is the same",
    async check(comfy) {
      const { image, save } = imageAndSave(comfy);
      connect(comfy, image, save);
      comfy.edit((editor) => editor.setWidget(image, "width", 64));
      const text = () => writeCompact(readWorkflow(comfy.whole.read(), (type) => comfy.whole.shape(type)));
      const before = text();
      const saved = JSON.parse(JSON.stringify(comfy.whole.read().workflow));
      emptyGraph(comfy);
      await comfy.whole.load(saved);
      expectSame(text(), before);
      expectSame(nodeOf(comfy, save).inputs[0]?.linkedFrom?.node, image);
      expectSame(nodeOf(comfy, image).widgets[0]?.value, 64);
    },
  },
  {
    name: "the shape of a type tells what a new node of it has",
    check(comfy) {
      const shape = comfy.whole.shape("EmptyImage");
      expectSame(
        shape?.widgets.map(({ name, value }) => [name, value]),
        [
          ["width", 512],
          ["height", 512],
          ["batch_size", 1],
          ["color", 0],
        ],
      );
      expectSame(comfy.whole.shape("SaveImage")?.inputs[0], {
        name: "images",
        type: "IMAGE",
        isWidget: false,
        isOptional: false,
      });
      expectSame(comfy.whole.shape("NoSuchNode"), undefined);
    },
  },
  {
    name: "a valid workflow runs to success, with its files by node",
    async check(comfy) {
      const { image, save } = imageAndSave(comfy);
      comfy.edit((editor) => editor.setWidget(image, "width", 64));
      connect(comfy, image, save);
      const submission = await comfy.queue.submit();
      if (!submission.accepted) throw new Error(`refused: ${submission.message}`);
      const record = await soon(() => comfy.queue.record(submission.promptId));
      expectSame(record.status, "success");
      expectSame(
        record.outputs.map(({ node, type, files }) => [node, type, files.map((file) => file.kind)]),
        [[save, "SaveImage", ["image"]]],
      );
      expectSame(await comfy.queue.place(submission.promptId), { state: "absent" });
      const url = record.outputs[0]?.files.map((file) => comfy.viewUrl(file))[0] ?? "";
      expectSame([url.startsWith("/"), url.includes("filename=")], [true, true]);
    },
  },
  {
    name: "a run is announced to whoever listens, and to nobody afterwards",
    async check(comfy) {
      const { image, save } = imageAndSave(comfy);
      connect(comfy, image, save);
      const heard: RunEvent[] = [];
      const unsubscribe = comfy.queue.subscribe((event) => heard.push(event));
      const submission = await comfy.queue.submit();
      if (!submission.accepted) throw new Error(`refused: ${submission.message}`);
      const isSettled = (event: RunEvent) =>
        event.type === "settled" && event.promptId === submission.promptId;
      await soon(async () => heard.find(isSettled));
      unsubscribe();
      const count = heard.length;
      const again = await comfy.queue.submit();
      if (again.accepted) await soon(() => comfy.queue.record(again.promptId));
      expectSame(heard.length, count);
    },
  },
  {
    name: "an edit that throws leaves everything as it was",
    check(comfy) {
      const { image, save } = imageAndSave(comfy);
      connect(comfy, image, save);
      const before = comfy.graph([]);
      expectThrow(() =>
        comfy.edit((editor) => {
          editor.removeNode(image);
          editor.setWidget(save, "filename_prefix", "lost");
          editor.addNode("KSampler");
          throw new Error("enough");
        }),
      );
      expectSame(comfy.graph([]), before);
    },
  },
  {
    name: "a turn can be undone whole, once",
    async check(comfy) {
      const { image } = imageAndSave(comfy);
      comfy.edit((editor) => editor.setWidget(image, "width", 64), { turn: "t" });
      comfy.edit((editor) => editor.setWidget(image, "height", 64), { turn: "t" });
      expectSame([comfy.canUndoTurn("t"), comfy.canUndoTurn("other")], [true, false]);
      expectSame(await comfy.undoTurn("t"), true);
      expectSame(
        nodeOf(comfy, image)
          .widgets.slice(0, 2)
          .map(({ value }) => value),
        [512, 512],
      );
      expectSame([comfy.canUndoTurn("t"), await comfy.undoTurn("t")], [false, false]);
    },
  },
  {
    name: "a node keeps the title, mode, color and position that it was given, and its id when it is replaced",
    check(comfy) {
      const { image } = imageAndSave(comfy);
      comfy.edit((editor) => {
        editor.setTitle(image, "mine");
        editor.setMode(image, "bypassed");
        editor.setColor(image, "#112233");
        editor.moveNode(image, { x: 70, y: 90 });
      });
      const node = nodeOf(comfy, image);
      expectSame([node.title, node.mode, node.color ?? ""], ["mine", "bypassed", "#112233"]);
      expectSame({ ...node.position }, { x: 70, y: 90 });
      comfy.edit((editor) => editor.setColor(image, undefined));
      expectSame(nodeOf(comfy, image).color ?? "none", "none");
      comfy.edit((editor) => {
        editor.removeNode(image);
        editor.addNode("ImageInvert", { id: image, position: { x: 70, y: 90 } });
      });
      expectSame(nodeOf(comfy, image).type, "ImageInvert");
    },
  },
  {
    name: "a group lies around its nodes",
    check(comfy) {
      const { image, save } = imageAndSave(comfy);
      comfy.edit((editor) => editor.addGroup("both", [image, save]));
      expectSame(
        comfy.graph().groups.map(({ title, nodes }): Json => [title, [...nodes].sort()]),
        [["both", [image, save].sort()]],
      );
    },
  },
  {
    name: "nodes go into a subgraph, can be edited there while the workflow is open, and come out again",
    check(comfy) {
      const { image, save } = imageAndSave(comfy);
      const invert = comfy.edit((editor) => editor.addNode("ImageInvert"));
      connect(comfy, image, invert);
      connect(comfy, invert, save);
      const outer = comfy.edit((editor) => editor.makeSubgraph([invert], "Inner"));
      expectSame(nodeOf(comfy, outer).subgraph?.name, "Inner");
      expectSame(nodeOf(comfy, save).inputs[0]?.linkedFrom?.node, outer);
      const place = [outer];
      const inner = comfy.graph(place);
      expectSame(
        inner.nodes.map(({ type, inputs }) => [type, inputs[0]?.linkedFrom?.node ?? ""]),
        [["ImageInvert", "input"]],
      );
      const [first] = inner.nodes;
      const second = comfy.edit((editor) => {
        const within = editor.within(place);
        const added = within.addNode("ImageInvert");
        within.connect({ node: first?.id ?? "", output: 0 }, { node: added, input: 0 });
        within.connect({ node: added, output: 0 }, { node: "output", input: 0 });
        return added;
      });
      const scope = comfy.scope(place);
      expectSame(scope.kind === "subgraph" ? scope.outputs[0]?.linkedFrom?.node : "workflow", second);
      comfy.edit((editor) => editor.expandSubgraph(outer));
      expectSame(
        comfy
          .graph()
          .nodes.map(({ type }) => type)
          .sort(),
        ["EmptyImage", "ImageInvert", "ImageInvert", "SaveImage"],
      );
      expectSame(upstreamTypes(comfy, save), ["ImageInvert", "ImageInvert", "EmptyImage"]);
      expectThrow(() => comfy.graph(place));
    },
  },
  {
    name: "a blank node shows what adding one would bring, and adds none",
    check(comfy) {
      const blank = comfy.blankNode("KSampler");
      expectSame(blank?.widgets.map(({ name }) => name).slice(0, 3), [
        "seed",
        "control_after_generate",
        "steps",
      ]);
      expectSame([comfy.blankNode("NoSuchNode") ?? "none", comfy.graph().nodes.length], ["none", 0]);
    },
  },
  {
    name: "a workflow that misses an input is refused, naming node, input and reason",
    async check(comfy) {
      const save = comfy.edit((editor) => editor.addNode("SaveImage"));
      const submission = await comfy.queue.submit();
      expectSame(submission.accepted, false);
      expectSame(
        submission.problems.map(({ node, type, input, message }) => [node, type, input ?? "", message]),
        [[save, "SaveImage", "images", "Required input is missing"]],
      );
    },
  },
  {
    name: "an empty workflow is refused with a reason",
    async check(comfy) {
      const submission = await comfy.queue.submit();
      expectSame(submission.accepted ? "accepted" : submission.message, "Prompt has no outputs");
    },
  },
  {
    name: "an unknown prompt has no place and no record, and canceling it does nothing",
    async check(comfy) {
      expectSame(await comfy.queue.place("no-such-prompt"), { state: "absent" });
      expectSame(await comfy.queue.record("no-such-prompt"), undefined);
      await comfy.queue.cancel("no-such-prompt");
    },
  },
];

/** Run the checks in order; resolves to the failures, as `name: reason`. */
export async function failingBehaviours(comfy: Comfy): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, check } of comfyBehaviours) {
    emptyGraph(comfy);
    try {
      await check(comfy);
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  emptyGraph(comfy);
  return failures;
}

function emptyGraph(comfy: Comfy): void {
  comfy.edit((editor) => {
    for (const { id } of comfy.graph().nodes) editor.removeNode(id);
  });
}

function imageAndSave(comfy: Comfy): { image: NodeId; save: NodeId } {
  return comfy.edit((editor) => ({ image: editor.addNode("EmptyImage"), save: editor.addNode("SaveImage") }));
}

function connect(comfy: Comfy, from: NodeId, to: NodeId): { isConnected: boolean } {
  return {
    isConnected: comfy.edit((editor) => editor.connect({ node: from, output: 0 }, { node: to, input: 0 })),
  };
}

function nodeOf(comfy: Comfy, id: NodeId): GraphNode {
  const node = findNode(comfy.graph(), id);
  if (!node) throw new Error(`node ${id} is missing`);
  return node;
}

function upstreamTypes(comfy: Comfy, id: NodeId): string[] {
  const source = nodeOf(comfy, id).inputs[0]?.linkedFrom?.node;
  return source === undefined ? [] : [nodeOf(comfy, source).type, ...upstreamTypes(comfy, source)];
}

function overlap(a: GraphNode, b: GraphNode): boolean {
  return (
    a.position.x < b.position.x + b.size.width &&
    b.position.x < a.position.x + a.size.width &&
    a.position.y < b.position.y + b.size.height &&
    b.position.y < a.position.y + a.size.height
  );
}

async function soon<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const value = await look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("nothing happened for 10 seconds");
}

function expectSame(actual: unknown, expected: unknown): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`found ${found}, expected ${wanted}`);
}

function expectThrow(act: () => unknown): void {
  let isThrown = false;
  try {
    act();
  } catch {
    isThrown = true;
  }
  if (!isThrown) throw new Error("expected it to be refused");
}
