import { useAui, useAuiState } from "@assistant-ui/react";
import type { ComposerNotice } from "./composerNotice";

/** The files that go along with the next message. */
export function useAttachments(onNotice: (notice: ComposerNotice) => void) {
  const aui = useAui();
  const attachments = useAuiState(({ thread }) => thread.composer.attachments);

  async function addFile(file: File) {
    try {
      await aui.thread.composer().addAttachment(file);
    } catch (error) {
      const composer = aui.thread.composer();
      composer.getState().attachments.forEach(({ status }, index) => {
        if (status.type === "incomplete") void composer.attachment({ index }).remove();
      });
      const reason = error instanceof Error ? error.message : String(error);
      const message = /is not accepted/.test(reason)
        ? `“${file.name}” is of a kind that neither ComfyUI nor the model could use.`
        : `“${file.name}” could not be attached: ${reason}`;
      onNotice({ kind: "hint", text: message });
    }
  }

  return {
    attachments,
    isUploading: attachments.some(({ status }) => status.type === "running"),
    add: (files: Iterable<File>) => {
      for (const file of files) void addFile(file);
    },
  };
}
