import { type FormEvent, useState } from "react";
import type { ContextApi } from "../api/contextApi";
import type { ThreadContext } from "../api/contextReplies";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { IconButton } from "../ui/IconButton";
import { TrashIcon } from "../ui/icons";
import { Section } from "../ui/Section";
import type { Perform } from "../ui/useResource";

interface Props {
  api: ContextApi;
  threadId: string;
  context: ThreadContext;
  perform: Perform;
}

/** What the model is reminded of in every turn: this chat's pins, and the goals of all chats. */
export function GoalsPage({ api, threadId, context: { pins, goals }, perform }: Props) {
  const [text, setText] = useState("");
  async function add(event: FormEvent) {
    event.preventDefault();
    if (text.trim() && (await perform(() => api.addPin(threadId, text.trim())))) setText("");
  }
  const unpin = ({ id, text }: ThreadContext["pins"][number]) =>
    void perform(
      () => api.removePin(threadId, id),
      () => ({ label: `Unpinned “${text}”.`, run: () => api.addPin(threadId, text) }),
    );
  return (
    <div className="cass-columns">
      <Section title="Pinned in this chat">
        <ul className="cass-rows">
          {pins.map((pin) => (
            <li key={pin.id}>
              <span>{pin.text}</span>
              <IconButton label={`Unpin “${pin.text}”`} onClick={() => unpin(pin)}>
                <TrashIcon />
              </IconButton>
            </li>
          ))}
        </ul>
        {pins.length === 0 && (
          <p className="cass-quiet">Pin a rule or a goal to remind the model of it in every turn.</p>
        )}
        <form className="cass-line-form" onSubmit={(event) => void add(event)}>
          <Field
            label="A rule or goal to pin"
            isLabelHidden
            placeholder="Always keep the seed at 42"
            value={text}
            onValue={setText}
          />
          <Button type="submit" disabled={!text.trim()}>
            Pin
          </Button>
        </form>
      </Section>
      <Section title="Goals of all chats">
        {goals ? (
          <p className="cass-goals-text">{goals}</p>
        ) : (
          <p className="cass-quiet">None yet. Write them in /you.</p>
        )}
      </Section>
    </div>
  );
}
