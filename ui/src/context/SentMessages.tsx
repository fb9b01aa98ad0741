import { LongText } from "../ui/LongText";
import { readSentMessage } from "./sentMessages";

/** Messages exactly as a model was sent them. */
export function SentMessages({ messages }: { messages: readonly Record<string, unknown>[] }) {
  return (
    <ol className="cass-sent-messages">
      {messages.map((message, index) => {
        const { role, pieces } = readSentMessage(message);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a request that was sent does not change
          <li key={index} data-role={role}>
            <span className="cass-sent-role">{role}</span>
            <div className="cass-sent-pieces">
              {pieces.map(({ label, text }, number) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <div key={number}>
                  {label && <small>{label}</small>}
                  <LongText text={text} label={`${role} ${label}`} />
                </div>
              ))}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
