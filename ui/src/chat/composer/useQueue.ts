import { type Attachment, useAui } from "@assistant-ui/react";
import { useEffect, useEffectEvent, useRef } from "react";
import { useKeyed } from "../../shared/store";
import { useChatEnvironment } from "../chatContext";
import { useThreadId } from "../threads/useThreadId";
import { useStopTurn, useTurnIsRunning } from "../turn/useTurn";
import { filesOfComposer } from "./attachedFile";
import type { QueuedMessage } from "./queue";

const NONE: readonly QueuedMessage[] = [];

/** The open thread's queue, and what the person does with it. */
export function useQueue() {
  const aui = useAui();
  const { queue, turns } = useChatEnvironment();
  const thread = useThreadId();
  const running = useTurnIsRunning();
  const stop = useStopTurn();
  const messages = useKeyed(queue.messages, thread) ?? NONE;
  const isUrgent = thread !== undefined && queue.isUrgent(thread, messages[0]?.id ?? "");
  const stopForIt = useEffectEvent(stop);
  // Also a turn that shows itself later, since the chat was still being loaded.
  useEffect(() => {
    if (isUrgent && running) stopForIt();
  }, [isUrgent, running]);
  /** Where the message stood that is being edited. */
  const place = useRef<number>(undefined);

  function onSend(id: string) {
    if (thread === undefined) return;
    queue.hurry(thread, id);
  }

  function onEdit(id: string) {
    const taken = thread === undefined ? undefined : queue.take(thread, id);
    if (!taken) return;
    place.current = taken.place;
    const composer = aui.thread.composer();
    composer.setText([taken.message.text, composer.getState().text].filter(Boolean).join("\n"));
    for (const file of taken.message.files) void composer.addAttachment(file).catch(() => {});
  }

  return {
    messages,
    /** A stopped turn is not over yet: what is sent now goes out right after it. */
    isStopping: useKeyed(turns.stopping, thread) !== undefined,
    onSend,
    onEdit,
    onTakeBack: (id: string) => void (thread !== undefined && queue.take(thread, id)),
    editLast: () => onEdit(messages.at(-1)?.id ?? ""),
    /** Takes what is in the composer; at once where it `isUrgent`, which stops the turn. Not before the chat has an id. */
    add(text: string, attachments: readonly Attachment[], isUrgent: boolean): boolean {
      if (thread === undefined) return false;
      const id = queue.add(thread, { text, files: filesOfComposer(attachments) }, place.current);
      place.current = undefined;
      void aui.thread.composer().reset();
      if (isUrgent) onSend(id);
      return true;
    },
  };
}
