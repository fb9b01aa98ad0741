/** Links between nodes. */

import { type Behaviour, connect, expectSame, imageAndSave, nodeOf } from "./checks";

export const linkBehaviours: readonly Behaviour[] = [
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
];
