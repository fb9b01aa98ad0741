/** Growing rows that have lost a link within a batch: ComfyUI's page closes the gap when the batch is done. */

import { gapIn } from "../../comfy/dynamicSlots";
import { nodeName } from "../read/references";
import { ToolError } from "../tool";
import type { Draft } from "./draft";
import type { Located } from "./draftGraphs";

/** Throws where what is planned next would take a row as it is until then; `way` is what to do instead. */
export function expectNoGap({ comfy }: Draft, { at, node }: Located, way: string, within = ""): void {
  const gap = gapIn(node, within);
  const was = gap && comfy.node(node.id, at.place);
  if (gap && !(was && gapIn(was, within)))
    throw new ToolError(
      `${gap.name} of ${nodeName(node)} lost its link in this batch, and ComfyUI closes that gap when the batch is done.`,
      way,
    );
}
