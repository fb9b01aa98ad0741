/** Two prompts compared: what would be run otherwise, by node and input. */

import type { Json, NodeId } from "./graph";
import { linkedNode, type PromptNodes } from "./prompt";

export interface PromptDifference {
  /** By run id. */
  node: NodeId;
  /** Left out where the whole node is run in one of them only. */
  input?: string;
  /** What is left out was not there. */
  before?: Json;
  after?: Json;
}

/** A choice where no file is installed is left out or null, as the page was loaded. */
export function promptDifferences(before: PromptNodes, after: PromptNodes): PromptDifference[] {
  const nodes = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...nodes].flatMap((node): PromptDifference[] => {
    const [was, is] = [before[node], after[node]];
    if (!was || !is || was.class_type !== is.class_type)
      return [
        {
          node,
          ...(was && { before: was.class_type }),
          ...(is && { after: is.class_type }),
        },
      ];
    const inputs = new Set([...Object.keys(was.inputs), ...Object.keys(is.inputs)]);
    return [...inputs].flatMap((input) => {
      const [one, other] = [was.inputs[input], is.inputs[input]];
      return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
        ? []
        : [
            {
              node,
              input,
              ...(one !== undefined && { before: one }),
              ...(other !== undefined && { after: other }),
            },
          ];
    });
  });
}

/** As `1.frames: 16 → 0`, `3.image: 1.0 → nothing`, `4 ImageInvert → not run`. */
export function differenceWords({ node, input, before, after }: PromptDifference): string {
  if (input === undefined)
    return before === undefined ? `${node} ${after} is run` : `${node} ${before} → ${after ?? "not run"}`;
  return `${node}.${input}: ${valueWords(before)} → ${valueWords(after)}`;
}

function valueWords(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  const source = linkedNode(value);
  if (source !== undefined) return `${source}.${(value as Json[])[1]}`;
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
