import type { Comfy } from "../../../comfy/bridge";
import { cut } from "../../../shared/cut";
import { pathWord, widgetNamed } from "../../read/references";
import type { ToolContext, ToolResult } from "../../tool";
import { runBatch } from "../batch";
import { Draft } from "../draft";
import { set } from "../operations/set";
import { reading } from "../outcome";
import { type SetCall, withSendInstead } from "../sendInstead";
import { toldOf } from "../summary";
import { outcomeData } from "./outcomeData";

export async function setNodeWidgetValue(
  { node: reference, widget: name, value: written }: SetCall,
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult> {
  const { at, node, widget, done } = await setOne(
    comfy,
    { node: reference, widget: name, value: written },
    context,
  );
  const now = comfy.node(node.id, at.place);
  const kept = now && widgetNamed(now, widget.name)?.value;
  const notes = done.adjusted.map(({ asked }) => ` ComfyUI made it of ${cut(JSON.stringify(asked), 100)}.`);
  const { summary, told } = toldOf(done);
  const values = kept === undefined ? {} : { value: kept, previous: widget.value };
  const areWhole = Object.values(values).every((each) => JSON.stringify(each).length <= reading.valueLength);
  return {
    ok: true,
    summary: `${summary}${notes.join("")}`,
    told: [...told, "node", "widget", ...(areWhole ? Object.keys(values) : [])],
    data: {
      node: pathWord(node),
      widget: widget.name,
      ...values,
      ...outcomeData(done),
    },
  };
}

async function setOne(comfy: Comfy, asked: SetCall, context: ToolContext) {
  const draft = new Draft(comfy);
  try {
    const { at, node } = draft.node(asked.node);
    const widget = widgetNamed(node, asked.widget) ?? { name: asked.widget, value: null };
    const edit = set.with({ nodes: [asked.node], widgets: { [widget.name]: asked.value } });
    return { at, node, widget, done: await runBatch(comfy, [edit], context) };
  } catch (error) {
    const { links } = await comfy.unwired();
    throw withSendInstead(error, asked, new Draft(comfy, links));
  }
}
