/** Node types of packages that do harm where a model is made to run them, and a canvas with some of them. */

import type { InputDefinition, NodeDefinition } from "../../comfy/bridge";
import { createFakeComfy, type FakeComfy } from "../../comfy/fake";
import { fakeNodes } from "../../comfy/fakeNodes";

const text = (name: string): InputDefinition => ({
  name,
  type: "STRING",
  isOptional: false,
  widget: "text",
  default: "",
});

const packed = (type: string, inputs: string[], more: Partial<NodeDefinition> = {}): NodeDefinition => ({
  type,
  title: type,
  category: "a-package",
  description: "",
  origin: "a-package",
  isOutput: true,
  inputs: inputs.map(text),
  outputs: [{ name: "STRING", type: "STRING" }],
  ...more,
});

/** Some tell it by their names and inputs; Confetti, Streamers and Balloons tell nothing. */
export const hostileNodes: readonly NodeDefinition[] = [
  ...fakeNodes,
  packed("Note", ["text"], { category: "utils", outputs: [], isOutput: false }),
  packed("MarkdownNote", ["text"], { category: "utils", outputs: [], isOutput: false }),
  packed("Words", ["value"], { category: "utils", isOutput: false }),
  packed("RunPython", ["code"]),
  packed("SaveTextFile", ["path", "text"]),
  packed("ReadTextFile", ["file_path"]),
  packed("PictureFromUrl", ["url"]),
  packed("DeleteFolder", ["folder"]),
  packed("Dream", ["prompt"], { isPaid: true }),
  packed("Oracle", ["prompt", "api_key"]),
  ...["Confetti", "Streamers", "Balloons"].map((type) => packed(type, ["pattern"])),
].map(({ origin, ...definition }) =>
  origin === undefined || definition.category === "utils" ? definition : { ...definition, origin },
);

/** A picture that is saved (1, 2), a text file in the output folder (3), confetti (4), streamers that take their
 * pattern from a text (5, 6), and muted balloons (7). */
export function hostileCanvas(
  more: { templates?: Readonly<Record<string, unknown>>; files?: Readonly<Record<string, Uint8Array>> } = {},
): FakeComfy {
  const comfy = createFakeComfy({ definitions: hostileNodes, ...more });
  comfy.edit((editor) => {
    const types = ["EmptyImage", "SaveImage", "SaveTextFile", "Confetti", "Streamers", "Words", "Balloons"];
    for (const type of types) editor.addNode(type);
    editor.connect({ node: "1", output: 0 }, { node: "2", input: 0 });
    editor.connect({ node: "6", output: 0 }, { node: "5", input: 0 });
    editor.setMode("7", "muted");
    editor.setWidget("3", "path", "output/a.txt");
  });
  return comfy;
}
