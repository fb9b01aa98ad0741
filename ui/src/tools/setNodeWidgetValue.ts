import { z } from "zod";
import type { Comfy } from "../comfy/bridge";
import { cut } from "../shared/cut";
import { Draft } from "./edit/draft";
import { set } from "./edit/operations/set";
import { reading } from "./edit/outcome";
import { outcomeData, runBatch } from "./edit/runBatch";
import { type SetCall, withSendInstead } from "./edit/sendInstead";
import { toldOf } from "./edit/summary";
import { pathWord, widgetNamed } from "./read/references";
import { defineTool, type ToolContext } from "./tool";
import { textArgument, valueArgument } from "./values/arguments";

export const setNodeWidgetValue = defineTool({
  name: "setNodeWidgetValue",
  description: "Set the value of a widget of a node.",
  input: z.object({
    node: textArgument(),
    widget: textArgument(),
    value: valueArgument("Numbers and true/false may be written as text."),
  }),
  effect: "edits",
  async run({ node: reference, widget: name, value: written }, comfy, context) {
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
    const areWhole = Object.values(values).every(
      (each) => JSON.stringify(each).length <= reading.valueLength,
    );
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
  },
  label: ({ node, widget }) =>
    node === undefined || widget === undefined ? "Set a value" : `Set ${widget} of node ${node}`,
});

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
