/** Edits: what they change, and how they are taken back. */

import { findNode, type Json } from "../../graph/graph";
import { type Behaviour, connect, expectSame, expectThrow, imageAndSave, nodeOf } from "./checks";

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
    name: "a turn below later changes is left alone until they are gone",
    async check(comfy) {
      const { image } = imageAndSave(comfy);
      comfy.edit((editor) => editor.setWidget(image, "width", 64), { turn: "below" });
      expectSame(comfy.isTurnCovered("below"), false);
      comfy.edit((editor) => editor.setWidget(image, "height", 64), { turn: "above" });
      expectSame([comfy.isTurnCovered("below"), comfy.isTurnCovered("none")], [true, false]);
      expectSame(await comfy.undoTurn("below"), false);
      expectSame(nodeOf(comfy, image).widgets[0]?.value, 64);
      expectSame([await comfy.undoTurn("above"), comfy.isTurnCovered("below")], [true, false]);
      expectSame([await comfy.undoTurn("below"), nodeOf(comfy, image).widgets[0]?.value], [true, 512]);
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
];
