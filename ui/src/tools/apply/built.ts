import type { Comfy } from "../../comfy/bridge";
import { buildWorkflow } from "../../graph/compact/build";
import { workflowOfPrompt } from "../../graph/compact/fromPrompt";
import { ResolveError } from "../../graph/compact/resolve";
import type { CompactWorkflow } from "../../graph/compact/workflow";
import type { Recognised } from "../../graph/recognise";
import type { JsonObject, UiWorkflow } from "../../graph/uiWorkflow";
import { newUuid } from "../../graph/uuid";
import { fewEntries } from "../../shared/few";
import type { Sight } from "../read/known";
import { ToolError } from "../tool";
import { presentNodes } from "./presentNodes";
import { withUsualFields } from "./usualFields";

export interface Built {
  /** As ComfyUI loads it. */
  saved: UiWorkflow & JsonObject;
  /** What was written, where that was not ComfyUI's own file. */
  written?: CompactWorkflow;
}

const mostProblems = 8;

/** `present` lends whole values, and to its nodes written anew their places and looks. */
export function built(comfy: Comfy, given: Recognised, present: Sight): Built {
  if (given.form === "ui") return { saved: withUsualFields(given.workflow) };
  const shapeOf = comfy.whole.shape;
  const now = presentNodes(comfy.whole.read(), present.workflow, shapeOf);
  const written =
    given.form === "api" ? workflowOfPrompt(given.prompt, shapeOf) : now.completed(given.workflow);
  const uuids = new Map(written.subgraphs.map(({ key, name }) => [key, now.uuid(key, name)]));
  try {
    const saved = buildWorkflow(written, {
      shapeOf,
      newUuid,
      uuidOf: (key) => uuids.get(key),
      ...(given.form === "compact" && now.isBasisOf(written) && { kept: now.kept }),
    });
    return { saved: saved as UiWorkflow & JsonObject, written };
  } catch (error) {
    if (!(error instanceof ResolveError)) throw error;
    throw new ToolError(
      `The workflow does not hold together: ${fewEntries(error.problems, mostProblems).join("; ")}. Nothing was changed.`,
      "Correct these lines and pass all of it again.",
    );
  }
}
