import { type FormEvent, useState } from "react";
import type { ContextApi } from "../api/contextApi";
import type { ThreadContext } from "../api/contextReplies";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { IconButton } from "../ui/IconButton";
import { CloseIcon } from "../ui/icons";
import { Problem } from "../ui/Problem";

interface Props {
  api: ContextApi;
  threadId: string;
  context: ThreadContext;
  onChanged(): void;
}

/** What the model is reminded of in every turn: this chat's pins, and the goals of all chats. */
export function GoalsPage({ api, threadId, context: { pins, goals }, onChanged }: Props) {
  const [text, setText] = useState("");
  const [failure, setFailure] = useState<ErrorDetails>();
  const change = (work: Promise<unknown>) =>
    work.then(
      () => {
        setFailure(undefined);
        onChanged();
        return true;
      },
      (error: unknown) => {
        setFailure(detailsOf(error));
        return false;
      },
    );
  async function add(event: FormEvent) {
    event.preventDefault();
    if (text.trim() && (await change(api.addPin(threadId, text.trim())))) setText("");
  }
  return (
    <div className="cass-goals">
      <section aria-label="Pins">
        <h3>Pinned in this chat</h3>
        <ul className="cass-pins">
          {pins.map((pin) => (
            <li key={pin.id}>
              <span>{pin.text}</span>
              <IconButton
                label={`Unpin “${pin.text}”`}
                onClick={() => void change(api.removePin(threadId, pin.id))}
              >
                <CloseIcon />
              </IconButton>
            </li>
          ))}
        </ul>
        {pins.length === 0 && (
          <p className="cass-quiet">Pin a rule or a goal, and the model is reminded of it in every turn.</p>
        )}
        <form className="cass-pin-form" onSubmit={(event) => void add(event)}>
          <input
            className="cass-field"
            aria-label="A rule or goal to pin"
            placeholder="Always keep the seed at 42"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <button type="submit" className="cass-button" disabled={!text.trim()}>
            Pin
          </button>
        </form>
        {failure && <Problem details={failure} />}
      </section>
      <section aria-label="Goals">
        <h3>Goals of all chats</h3>
        {goals ? (
          <p className="cass-goals-text">{goals}</p>
        ) : (
          <p className="cass-quiet">There are none. /you is where they are written.</p>
        )}
      </section>
    </div>
  );
}
