import type { You } from "./youApi";

/** What a new chat is told of the person, word for word, and what it has no room for. */
export function ToldPart({
  told: { form, window, system, reminder, systemTokens, leftOut },
}: {
  told: You["told"];
}) {
  const said =
    window === null ? "with any larger model" : `at a window of ${window.toLocaleString("en")} tokens`;
  return (
    <section aria-label="What a new chat is told">
      <h3>What a new chat is told</h3>
      <p className="cass-quiet">
        {`${said[0]?.toUpperCase()}${said.slice(1)}: ${system.tokens} of ${systemTokens.toLocaleString("en")} tokens of the system message, and ${reminder.tokens} at the end of each message. A chat that runs is told of changes with your next message.`}
        {form === "slim" && " Small models get a short base prompt of their own."}
      </p>
      {leftOut.length > 0 && (
        <>
          <p className="cass-quiet">No room for:</p>
          <ul className="cass-entries" aria-label="Left out">
            {leftOut.map(({ source, amount, unit }) => (
              <li key={source}>
                <code>{source}</code> {amount.toLocaleString("en")} {unit}
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
    </section>
  );
}
