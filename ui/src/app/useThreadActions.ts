import { useAui } from "@assistant-ui/react";
import { useCallback } from "react";
import type { ContextApi } from "../api/contextApi";
import { detailsOf } from "../api/errors";
import type { ComposerNotice } from "../chat/composer/composerNotice";
import { type Outcome, performThreadAction, type ThreadAction } from "./threadActions";
import type { ThreadContexts } from "./threadContexts";

/**
 * Performs what a command asks of the open thread, and tells above the composer what came of it. What was typed for one
 * that fails is put back, for another try.
 */
export function useThreadActions(
  api: ContextApi,
  contexts: ThreadContexts,
  onNotice: (notice: ComposerNotice | undefined) => void,
  onAnswerer: () => void,
): (action: ThreadAction, typed?: string) => void {
  const aui = useAui();
  return useCallback(
    (action, typed = "") => {
      let id = aui.threadListItem.getState().remoteId;
      const isStillOpen = () => aui.threadListItem.getState().remoteId === id;
      const tell = (notice: ComposerNotice) => {
        if (isStillOpen() || action.kind === "pin" || action.kind === "configure") onNotice(notice);
      };
      const follow = (work: Promise<Outcome>) => {
        onNotice({ kind: "hint", text: "One moment…" });
        work.then(
          ({ text, undo, context }) => {
            if (action.kind === "answerer" || action.kind === "persona") onAnswerer();
            if (id !== undefined && context) contexts.reports.put(id, context);
            tell({ kind: "done", text, ...(undo && { onUndo: () => follow(undo()) }) });
          },
          (error: unknown) => {
            tell({ kind: "error", details: detailsOf(error) });
            const composer = aui.thread.composer();
            if (isStillOpen() && !composer.getState().text) composer.setText(typed);
          },
        );
      };
      const begin = async () => {
        id ??= (await aui.threadListItem.initialize()).remoteId;
        return id;
      };
      follow(performThreadAction(action, { id, begin }, api));
    },
    [aui, api, contexts, onNotice, onAnswerer],
  );
}
