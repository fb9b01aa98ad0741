/** The workflow that a call names: text, a template, or the file of an earlier run. */

import type { Comfy } from "../../comfy/bridge";
import { pngTexts } from "../../graph/pngText";
import { NoWorkflow, type Recognised, recognise, recogniseJson } from "../../graph/recognise";
import { ToolError } from "../tool";

export interface Given {
  workflow?: string | undefined;
  template?: string | undefined;
  file?: string | undefined;
}

export async function givenWorkflow(comfy: Comfy, given: Given): Promise<Recognised> {
  const named = Object.entries(given).filter(([, value]) => value !== undefined && value.trim() !== "");
  if (named.length !== 1)
    throw new ToolError(
      named.length === 0
        ? "No workflow was given."
        : `Both ${named.map(([name]) => name).join(" and ")} were given; one of them is enough.`,
      "Pass workflow (its text or JSON), template (a name from searchTemplates) or file (a picture of an earlier run).",
    );
  const { workflow, template, file } = Object.fromEntries(named) as Given;
  try {
    if (workflow !== undefined) return recognise(workflow);
    return template !== undefined ? await ofTemplate(comfy, template) : await ofFile(comfy, file ?? "");
  } catch (error) {
    if (error instanceof NoWorkflow) throw new ToolError(`${error.message} Nothing was changed.`, error.hint);
    throw error;
  }
}

async function ofTemplate(comfy: Comfy, name: string): Promise<Recognised> {
  const found = await comfy.whole.template(name.trim());
  if (found === undefined)
    throw new ToolError(`There is no template "${name}".`, "searchTemplates finds templates by words.");
  return recogniseJson(found);
}

const folders = ["output", "input", "temp"];

async function ofFile(comfy: Comfy, path: string): Promise<Recognised> {
  const parts = path.trim().replaceAll("\\", "/").split("/").filter(Boolean);
  const type = parts.length > 1 && folders.includes(parts[0] ?? "") ? (parts.shift() ?? "output") : "output";
  const filename = parts.pop() ?? "";
  const bytes = await comfy.whole.file({ filename, subfolder: parts.join("/"), type });
  if (!bytes)
    throw new ToolError(
      `There is no file ${filename} in ComfyUI's ${type} folder${parts.length > 0 ? `, subfolder ${parts.join("/")}` : ""}.`,
      "Name it as the run's result does, for example output/ComfyUI_00001_.png.",
    );
  if (/\.json$/i.test(filename)) return recognise(new TextDecoder().decode(bytes));
  const texts = pngTexts(bytes);
  const text = texts.get("workflow") ?? texts.get("prompt");
  if (text !== undefined) return recognise(text);
  throw new NoWorkflow(
    `${filename} holds no workflow.`,
    "Only pictures that ComfyUI saved as PNG, with their metadata, carry one.",
  );
}
