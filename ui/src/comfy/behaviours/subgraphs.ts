/** Subgraphs: made, edited inside, opened up. */

import {
  type Behaviour,
  connect,
  expectSame,
  expectThrow,
  imageAndSave,
  nodeOf,
  upstreamTypes,
} from "./checks";

export const subgraphBehaviours: readonly Behaviour[] = [
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
      expectSame(
        comfy.edit((editor) => editor.expandSubgraph(outer, { x: 300, y: 40 })),
        true,
      );
      expectSame(
        comfy
          .graph()
          .nodes.map(({ type }) => type)
          .sort(),
        ["EmptyImage", "ImageInvert", "ImageInvert", "SaveImage"],
      );
      expectSame(upstreamTypes(comfy, save), ["ImageInvert", "ImageInvert", "EmptyImage"]);
      expectThrow(() => comfy.graph(place));
      expectSame(comfy.whole.read().workflow.definitions?.subgraphs ?? [], []);
    },
  },
  {
    name: "a promoted widget is set on the subgraph's node and runs inside, until it is demoted",
    async check(comfy) {
      const { image, save } = imageAndSave(comfy);
      connect(comfy, image, save);
      const outer = comfy.edit((editor) => editor.makeSubgraph([image], "Inner"));
      const [inner] = comfy.graph([outer]).nodes;
      const width = inner?.inputs.findIndex(({ name }) => name === "width") ?? -1;
      comfy.edit((editor) =>
        editor.within([outer]).promoteInput({ node: inner?.id ?? "", input: width }, "size"),
      );
      const shown = () => nodeOf(comfy, outer).widgets.find(({ name }) => name === "size");
      expectSame([shown()?.value, shown()?.kind], [512, "integer"]);
      expectSame(comfy.graph([outer]).nodes[0]?.inputs[width]?.linkedFrom, {
        node: "input",
        output: 0,
        name: "size",
      });
      comfy.edit((editor) => editor.setWidget(outer, "size", 64));
      expectSame(shown()?.value, 64);
      comfy.edit((editor) => editor.demote(outer, "input", "size"));
      expectSame(
        [...nodeOf(comfy, outer).widgets, ...nodeOf(comfy, outer).inputs]
          .map(({ name }) => name)
          .filter((name) => name === "size"),
        [],
      );
      expectSame(comfy.graph([outer]).nodes[0]?.inputs[width]?.linkedFrom ?? "free", "free");
    },
  },
  {
    name: "a subgraph gets inputs and outputs, which are linked outside, and loses them with their links",
    check(comfy) {
      const { image, save } = imageAndSave(comfy);
      const invert = comfy.edit((editor) => editor.addNode("ImageInvert"));
      const outer = comfy.edit((editor) => editor.makeSubgraph([invert], "Inner"));
      const [inner] = comfy.graph([outer]).nodes;
      const node = inner?.id ?? "";
      comfy.edit((editor) => {
        const within = editor.within([outer]);
        within.promoteInput({ node, input: 0 }, "picture");
        within.promoteOutput({ node, output: 0 }, "negative");
      });
      const names = () => [
        nodeOf(comfy, outer).inputs.map(({ name }) => name),
        nodeOf(comfy, outer).outputs.map(({ name }) => name),
      ];
      expectSame(names(), [["picture"], ["negative"]]);
      connect(comfy, image, outer);
      connect(comfy, outer, save);
      expectSame(upstreamTypes(comfy, save).at(-1), "EmptyImage");
      comfy.edit((editor) => {
        editor.demote(outer, "input", "picture");
        editor.demote(outer, "output", "negative");
      });
      expectSame(names(), [[], []]);
      expectSame(nodeOf(comfy, save).inputs[0]?.linkedFrom ?? "free", "free");
      expectSame(nodeOf(comfy, image).outputs[0]?.linkedTo, []);
    },
  },
];
