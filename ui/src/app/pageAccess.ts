import type { Toolkit } from "@assistant-ui/react";
import type { AssistantApi } from "../api/assistantApi";
import { RequestError } from "../api/errors";
import type { Approvals } from "../chat/approvals";
import type { ToolPresentation, TurnUndo } from "../chat/chatContext";
import type { ChatRequest } from "../chat/requestBody";
import type { Turns } from "../chat/turns";
import type { Comfy } from "../comfy/bridge";
import { createLiveComfy } from "../comfy/live";
import { createFailures, type Failures } from "../repair/failures";
import type { KeyedStore } from "../shared/store";
import type { ToolProgress } from "../shared/toolCalls";
import { browserTools } from "../tools/index";
import { look } from "../tools/read/sight";
import { ToolError } from "../tools/tool";
import { createToolPresenter } from "./presentTool";
import { createToolkit } from "./toolkit";

/** All that reaches into ComfyUI's page: more code than the rest of the panel's own, and not needed to type. */
export interface PageAccess {
  comfy: Comfy;
  /** For a small model, which is shown it with each message. */
  openWorkflow(): Promise<ChatRequest["workflow"]>;
  toolkit: Toolkit;
  presentTool(name: string): ToolPresentation;
  turnUndo: TurnUndo;
  failures: Failures;
}

export interface PageAccessServices {
  api: AssistantApi;
  turns: Turns;
  progress: KeyedStore<ToolProgress>;
  approvals: Approvals;
}

export function createPageAccess({ api, turns, progress, approvals }: PageAccessServices): PageAccess {
  const comfy = createLiveComfy();
  return {
    comfy,
    async openWorkflow() {
      const status = await api.status();
      return status.ok && status.model.slim
        ? { name: comfy.workflow().name, graph: look(comfy).workflow, failure: comfy.queue.shownFailure() }
        : undefined;
    },
    toolkit: createToolkit(browserTools, comfy, turns, progress, approvals, {
      async seesImages() {
        const status = await api.status();
        return status.ok ? (status.model.vision ?? undefined) : undefined;
      },
      async readBack(thread, ref) {
        try {
          return await api.readBack(thread, ref);
        } catch (error) {
          if (!(error instanceof RequestError)) throw error;
          throw new ToolError(error.message, error.details.hint);
        }
      },
    }),
    presentTool: createToolPresenter(browserTools),
    failures: createFailures(comfy),
    turnUndo: { isPossible: comfy.canUndoTurn, isCovered: comfy.isTurnCovered, undo: comfy.undoTurn },
  };
}
