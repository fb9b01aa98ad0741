/** Edits: what they change, and how they are taken back. */

import { findNode, type Json, type NodeId } from "../../graph/graph";
import type { Comfy } from "../bridge";
import { type Behaviour, connect, expectSame, expectThrow, imageAndSave, nodeOf } from "./checks";

const values = (comfy: Comfy, node: NodeId) =>
  nodeOf(comfy, node)
    .widgets.slice(0, 2)
    .map(({ value }) => value);

export const editBehaviours: readonly Behaviour[] = [
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
    name: "a turn can be undone whole, and made again",
    async check(comfy) {
      const { image } = imageAndSave(comfy);
      comfy.edit((editor) => editor.setWidget(image, "width", 64), { turn: "t" });
      comfy.edit((editor) => editor.setWidget(image, "height", 64), { turn: "t" });
      expectSame([comfy.turnState("t") ?? "none", comfy.turnState("other") ?? "none"], ["done", "none"]);
      expectSame([await comfy.toggleTurn("t"), comfy.turnState("t") ?? "none"], [[], "undone"]);
      expectSame(values(comfy, image), [512, 512]);
      expectSame([await comfy.toggleTurn("t"), comfy.turnState("t") ?? "none"], [[], "done"]);
      expectSame(values(comfy, image), [64, 64]);
    },
  },
  {
    name: "undoing a turn leaves what was changed since, unless both changed the same",
    async check(comfy) {
      const { image } = imageAndSave(comfy);
      comfy.edit((editor) => editor.setWidget(image, "width", 64), { turn: "below" });
      comfy.edit((editor) => editor.setWidget(image, "height", 64), { turn: "above" });
      expectSame(await comfy.toggleTurn("below"), []);
      expectSame(values(comfy, image), [512, 64]);
      comfy.edit((editor) => editor.setWidget(image, "height", 128));
      expectSame((await comfy.toggleTurn("above")).length, 1);
      expectSame([values(comfy, image), comfy.turnState("above") ?? "none"], [[512, 128], "done"]);
    },
  },
  {
    name: "undoing a turn takes away what it added, and leaves what was added since",
    async check(comfy) {
      const { image, save } = imageAndSave(comfy);
      const blur = comfy.edit(
        (editor) => {
          const added = editor.addNode("ImageInvert");
          editor.connect({ node: image, output: 0 }, { node: added, input: 0 });
          editor.connect({ node: added, output: 0 }, { node: save, input: 0 });
          return added;
        },
        { turn: "adds" },
      );
      const other = comfy.edit((editor) => editor.addNode("EmptyImage", { position: { x: 900, y: 0 } }));
      expectSame(await comfy.toggleTurn("adds"), []);
      expectSame(
        comfy
          .graph()
          .nodes.map(({ id }) => id)
          .sort(),
        [image, save, other].sort(),
      );
      expectSame(await comfy.toggleTurn("adds"), []);
      expectSame(nodeOf(comfy, save).inputs[0]?.linkedFrom?.node, blur);
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
    name: "a group is renamed and colored, and gets the usual color back",
    check(comfy) {
      const { image, save } = imageAndSave(comfy);
      comfy.edit((editor) => editor.addGroup("both", [image, save]));
      const index = comfy.graph().groups.length - 1;
      const shown = (): Json => {
        const { title = "", color = "" } = comfy.graph().groups[index] ?? {};
        return [title, color.toLowerCase()];
      };
      const before = shown();
      comfy.edit((editor) => {
        editor.titleGroup(index, "all");
        editor.colorGroup(index, "green");
      });
      expectSame(shown(), ["all", "#8a8"]);
      comfy.edit((editor) => {
        editor.titleGroup(index, "both");
        editor.colorGroup(index, undefined);
      });
      expectSame(shown(), before);
    },
  },
];
