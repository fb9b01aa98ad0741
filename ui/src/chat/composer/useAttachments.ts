import { useAui, useAuiState } from "@assistant-ui/react";
import { useEffect } from "react";
import { reasonOf } from "../../shared/reasonOf";
import type { ComposerNotice } from "./composerNotice";

/** The files that go along with the next message. */
export function useAttachments(onNotice: (notice: ComposerNotice | undefined) => void) {
  const aui = useAui();
  const attachments = useAuiState(({ thread }) => thread.composer.attachments);

  const failed = attachments.findIndex(({ status }) => status.type === "incomplete");
  useEffect(() => {
    if (failed >= 0) void aui.thread.composer().attachment({ index: failed }).remove();
  }, [aui, failed]);

  async function addFile(file: File) {
    try {
      await aui.thread.composer().addAttachment(file);
    } catch (error) {
      const reason = reasonOf(error);
      const message = /is not accepted/.test(reason)
        ? `“${file.name}” is of a kind that neither ComfyUI nor the model could use.`
        : `“${file.name}” could not be attached: ${reason}`;
      onNotice({ kind: "hint", text: message });
    }
  }

  return {
    attachments,
    isUploading: attachments.some(({ status }) => status.type === "running"),
    add: (files: readonly File[]) => {
      if (files.length > 0) onNotice(undefined);
      for (const file of files) void addFile(file);
    },
  };
}
