import { Section } from "../ui/Section";
import type { You } from "./youApi";

/** What a new chat is told of the person, word for word, and what it has no room for. */
export function ToldPart({
  told: { form, window, system, reminder, systemTokens, leftOut },
}: {
  told: You["told"];
}) {
  return (
    <Section title="What a new chat is told">
      <p className="cass-quiet">
        {window === null ? "With any larger model" : `With a window of ${window.toLocaleString("en")} tokens`}
        : {system.tokens} of {systemTokens.toLocaleString("en")} tokens of the system message, and{" "}
        {reminder.tokens} at the end of each message. Chats that run learn of changes with your next message.
        {form === "slim" && " Small models get a short base prompt of their own."}
      </p>
      {leftOut.length > 0 && (
        <>
          <p className="cass-quiet">No room for:</p>
          <ul className="cass-rows" aria-label="Left out">
            {leftOut.map(({ source, amount, unit }) => (
              <li key={source}>
                <span>
                  <code>{source}</code> {amount.toLocaleString("en")} {unit}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {[system, reminder].map(
        ({ text }) =>
          text && (
            <pre key={text} className="cass-plain-text">
              {text}
            </pre>
          ),
      )}
    </Section>
  );
}
