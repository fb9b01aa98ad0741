/** What the names of files say of a run that differs from others: `ComfyUI_cfg-7_00001_.png`. */

import type { NodeDefinition } from "../../comfy/bridge";
import type { Json } from "../../graph/graph";
import { type PromptNodes, type RunChange, upstreamPart } from "../../graph/prompt";
import { axesOf } from "./axes";
import type { PlannedRun } from "./planRuns";
import { only } from "./valuesWords";

const longestValue = 30;
/** Of characters that take up to three bytes in a name of 255. */
const longestPart = 60;

/** For each run its values where several runs differ, otherwise what it has beside the graph; none are alike. */
export function fileNameParts(plan: readonly PlannedRun[]): string[] {
  const { varied, same } = axesOf(plan);
  const names = (varied.length > 0 ? varied : same).map(({ name }) => name);
  const parts = plan.map(({ values }) => {
    const words = Object.entries(only(names, values)).map(([name, value]) =>
      valuePart(labelOf(name, names), value),
    );
    return shortened(words.join("_"), longestPart);
  });
  const counts = Map.groupBy(parts, (part) => part.toLowerCase());
  return parts.map((part, index) =>
    counts.get(part.toLowerCase())?.length === 1 ? part : `${part}-${index + 1}`,
  );
}

/**
 * For what is sent alone: with the part in the `filename_prefix` of the nodes that save what the changes lead to. A
 * prefix that is linked or varied itself stays as it is.
 */
export function withNamePart(
  nodes: PromptNodes,
  changes: readonly RunChange[],
  part: string,
  definitionOf: (type: string) => NodeDefinition | undefined,
): PromptNodes {
  const isReached = (id: string) => {
    const needed = upstreamPart(nodes, [id]);
    return changes.some(({ node, input }) => node in needed && !(node === id && input === prefixInput));
  };
  return Object.fromEntries(
    Object.entries(nodes).map(([id, node]) => {
      const prefix = node.inputs[prefixInput];
      const isNamed = typeof prefix === "string" && definitionOf(node.class_type)?.isOutput && isReached(id);
      if (!isNamed) return [id, node];
      return [id, { ...node, inputs: { ...node.inputs, [prefixInput]: prefixed(prefix, part) } }];
    }),
  );
}

const prefixInput = "filename_prefix";

/** ComfyUI takes `cats/` for `cats`. */
function prefixed(prefix: string, part: string): string {
  const base = prefix.replace(/[/\\]+$/, "");
  return base === "" ? part : `${base}_${part}`;
}

/** `3.steps` as `steps`, unless another node's steps vary, too. */
function labelOf(name: string, all: readonly string[]): string {
  const widget = (each: string) => each.slice(each.indexOf(".") + 1);
  return all.filter((each) => widget(each) === widget(name)).length > 1 ? name : widget(name);
}

/** `cfg-7`; a text speaks for itself: `a-red-fox-in-snow`. */
function valuePart(label: string, value: Json): string {
  const isText = typeof value === "string";
  const part = shortened(safe(isText ? value : JSON.stringify(value)), longestValue);
  if (part === "") return safe(label);
  return isText ? part : `${safe(label)}-${part}`;
}

/** Letters and digits of any script, and nothing that a file system or a placeholder such as `%date%` is made of. */
function safe(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replaceAll(/^[-.]+(?!\d)|[-.]+$/g, "");
}

/** To whole words, unless too little is left by that. */
function shortened(text: string, longest: number): string {
  const characters = [...text];
  if (characters.length <= longest) return text;
  const whole = characters
    .slice(0, longest + 1)
    .join("")
    .replace(/[-_.]+[^-_.]*$/, "");
  return whole.length > longest / 2 ? whole : characters.slice(0, longest).join("");
}
