/** The workflow that a call names: text, a template, a file, or what a handle stands for. */

import type { Comfy } from "../../comfy/bridge";
import { pngTexts } from "../../graph/pngText";
import { NoWorkflow, type Recognised, recognise, recogniseJson } from "../../graph/recognise";
import { webpTexts } from "../../graph/webpText";
import { filesMeant } from "../read/filesMeant";
import { type ToolContext, ToolError } from "../tool";
import { workflowBehind } from "./workflowBehind";

export interface Given {
  workflow?: string | undefined;
  template?: string | undefined;
  file?: string | undefined;
  ref?: string | undefined;
}

export async function givenWorkflow(
  comfy: Comfy,
  given: Given,
  readBack: ToolContext["readBack"],
): Promise<Recognised> {
  const named = Object.entries(given).filter(([, value]) => value !== undefined && value.trim() !== "");
  if (named.length !== 1)
    throw new ToolError(
      named.length === 0
        ? "No workflow was given."
        : `Both ${named.map(([name]) => name).join(" and ")} were given; one of them is enough.`,
      "Pass workflow (its text or JSON), template (a name from searchTemplates), file (one of the user or of a run) or ref (a handle).",
    );
  const { workflow, template, file, ref } = Object.fromEntries(named) as Given;
  try {
    if (workflow !== undefined) return recognise(workflow);
    if (template !== undefined) return await ofTemplate(comfy, template);
    return ref !== undefined ? await ofHandle(ref.trim(), readBack) : await ofFile(comfy, file ?? "");
  } catch (error) {
    if (error instanceof NoWorkflow) throw new ToolError(`${error.message} Nothing was changed.`, error.hint);
    throw error;
  }
}

async function ofHandle(ref: string, readBack: ToolContext["readBack"]): Promise<Recognised> {
  if (!readBack) throw new ToolError("Handles name parts of a conversation; this call belongs to none.");
  return workflowBehind(ref, await readBack(ref));
}

async function ofTemplate(comfy: Comfy, name: string): Promise<Recognised> {
  const found = await comfy.whole.template(name.trim());
  if (found === undefined)
    throw new ToolError(`There is no template "${name}".`, "searchTemplates finds templates by words.");
  return recogniseJson(found);
}

async function ofFile(comfy: Comfy, path: string): Promise<Recognised> {
  const { filename, bytes } = await fileNamed(comfy, path);
  if (/\.json$/i.test(filename)) return recognise(new TextDecoder().decode(bytes));
  const texts = new Map([...pngTexts(bytes), ...webpTexts(bytes)]);
  const text = texts.get("workflow") ?? texts.get("prompt");
  if (text !== undefined) return recognise(text);
  throw new NoWorkflow(
    `${filename} holds no workflow.`,
    "JSON files, and PNG and WebP pictures as ComfyUI saved them, carry one; pictures that were edited or came through a chat have lost it.",
  );
}

async function fileNamed(comfy: Comfy, path: string): Promise<{ filename: string; bytes: Uint8Array }> {
  const candidates = filesMeant(path);
  for (const file of candidates) {
    const bytes = await comfy.whole.file(file);
    if (bytes) return { filename: file.filename, bytes };
  }
  throw new ToolError(
    `There is no file ${candidates[0]?.filename} in ComfyUI's output, temp or input folder${candidates[0]?.subfolder ? `, subfolder ${candidates[0].subfolder}` : ""}.`,
    "Name it as the message or the run's result does, for example input/cat.json or output/ComfyUI_00001_.png.",
  );
}
