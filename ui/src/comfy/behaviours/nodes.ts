/** Nodes, as they are added and read. */

import type { Json, NodeId } from "../../graph/graph";
import { type Behaviour, expectSame, expectThrow, nodeOf } from "./checks";

export const nodeBehaviours: readonly Behaviour[] = [
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
    name: "a type that stays has nothing in its place",
    async check(comfy) {
      await comfy.learnReplacements();
      expectSame(comfy.replacementOf("KSampler"), undefined);
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
      expectSame(
        ["SaveImage", "KSampler"].map((type) => comfy.whole.shape(type)?.isOutput ?? false),
        [true, false],
      );
      expectSame(comfy.nodeDefinition("NoSuchNode"), undefined);
      expectSame(
        [comfy.nodeTypes().includes("KSampler"), comfy.nodeTypes().includes("NoSuchNode")],
        [true, false],
      );
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
];
