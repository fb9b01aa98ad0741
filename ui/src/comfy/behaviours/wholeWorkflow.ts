/** The workflow as a whole. */

import { readWorkflow } from "../../graph/compact/read";
import { writeCompact } from "../../graph/compact/write";
import { type Behaviour, connect, emptyGraph, expectSame, imageAndSave, nodeOf } from "./checks";

export const wholeWorkflowBehaviours: readonly Behaviour[] = [
  {
    name: "a workflow that is read as a whole can be loaded again, and is the same",
    async check(comfy) {
      const { image, save } = imageAndSave(comfy);
      connect(comfy, image, save);
      comfy.edit((editor) => editor.setWidget(image, "width", 64));
      const text = () => writeCompact(readWorkflow(comfy.whole.read(), comfy.whole.shape));
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
];
