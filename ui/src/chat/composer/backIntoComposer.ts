import type { ThreadMessage, useAui } from "@assistant-ui/react";
import type { UIMessage } from "ai";
import { filesOfMessage } from "./attachedFile";

/** Puts a message that was not sent before what was typed since, with its files. */
export function backIntoComposer(aui: ReturnType<typeof useAui>, message: Pick<UIMessage, "parts">): void {
  const composer = aui.thread.composer();
  composer.setText([textOf(message.parts), composer.getState().text].filter(Boolean).join("\n"));
  for (const file of filesOfMessage(message)) void composer.addAttachment(file).catch(() => {});
}

export function textOf(
  parts: readonly (UIMessage["parts"][number] | ThreadMessage["content"][number])[],
): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
