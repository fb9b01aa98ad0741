import { amountOf } from "../../shared/amounts";
import { IconButton } from "../../ui/IconButton";
import { CloseIcon, PencilIcon, SendIcon } from "../../ui/icons";
import type { QueuedMessage } from "./queue";

interface Props {
  messages: readonly QueuedMessage[];
  running: boolean;
  onSend(id: string): void;
  onEdit(id: string): void;
  onTakeBack(id: string): void;
}

/** What goes out when the turn is over, or waits for the person after one that did not end by itself. */
export function QueuedMessages({ messages, running, onSend, onEdit, onTakeBack }: Props) {
  return (
    <section className="cass-queue" aria-label="Queued messages">
      <small>{headline(messages.length, running)}</small>
      <ul>
        {messages.map(({ id, text, files, lost = [] }) => (
          <li key={id} className="cass-sunken">
            <span title={text}>{text || amountOf(files.length, "file")}</span>
            {text !== "" && files.length > 0 && <small>{amountOf(files.length, "file")}</small>}
            {lost.length > 0 && <small>without {lost.join(", ")}, too large to be kept</small>}
            <IconButton
              label={running ? "Stop the turn and send now" : "Send now"}
              onClick={() => onSend(id)}
            >
              <SendIcon />
            </IconButton>
            <IconButton label="Edit the queued message" onClick={() => onEdit(id)}>
              <PencilIcon />
            </IconButton>
            <IconButton label="Take the queued message back" onClick={() => onTakeBack(id)}>
              <CloseIcon />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** With their number where some may have to be scrolled to. */
function headline(count: number, isRunning: boolean): string {
  if (count < 3) return isRunning ? "Sent when this turn is over" : "Not sent yet";
  return isRunning ? `${count} messages, sent when this turn is over` : `${count} messages, not sent yet`;
}
