/** What ComfyUI's own file buttons do after an upload: the file becomes a choice of the widgets that take such files. */

import { z } from "zod";
import { type LiveNode, type Page, rootGraph } from "../page";

const flags: Record<string, readonly string[]> = {
  image: ["image_upload", "animated_image_upload"],
  video: ["video_upload"],
  audio: ["audio_upload"],
};

/** What marks an input that takes files from the page. */
export const uploadFlags = Object.values(flags).flat();

const definitionSchema = z.looseObject({ inputs: z.record(z.string(), z.looseObject({})) });

/** `kind` is the first part of the file's media type. */
export function offerUpload(page: Page, kind: string, name: string): void {
  const wanted = flags[kind] ?? [];
  const widgetsByType = new Map<string, string[]>();
  for (const [type, { nodeData }] of Object.entries(page.liteGraph.registered_node_types)) {
    const inputs = Object.entries(definitionSchema.safeParse(nodeData).data?.inputs ?? {});
    const taking = inputs.filter(([, input]) => wanted.some((flag) => input[flag] === true));
    for (const [, { options }] of taking) addChoice(options, name);
    if (taking.length > 0)
      widgetsByType.set(
        type,
        taking.map(([input]) => input),
      );
  }
  const root = rootGraph(page);
  for (const { nodes } of [root, ...(root.subgraphs?.values() ?? [])])
    for (const node of nodes)
      for (const widget of widgetsNamed(node, widgetsByType.get(node.type) ?? []))
        addChoice(widget.options?.values, name);
}

function widgetsNamed({ widgets = [] }: LiveNode, names: readonly string[]) {
  return widgets.filter((widget) => names.includes(widget.name));
}

function addChoice(choices: unknown, name: string): void {
  if (Array.isArray(choices) && !choices.includes(name)) choices.push(name);
}
