import { type FormEvent, useCallback, useId, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";
import { Field } from "../ui/Field";
import { Loaded } from "../ui/Page";
import { Section } from "../ui/Section";
import { useResource } from "../ui/useResource";
import { type HostChange, type ModelHost, modelHosts, tokenWords } from "./modelHosts";

/** Where model files may come from, and the tokens that these hosts want. */
export function ModelHosts({ api }: { api: AssistantApi }) {
  const hosts = useResource(useCallback(() => modelHosts(api), [api]));
  const [host, setHost] = useState("");
  const [token, setToken] = useState("");
  const listId = useId();
  const change = (wanted: HostChange) => hosts.perform(() => modelHosts(api, wanted));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await change({ host: host.trim(), ...(token && { token }) }))) return;
    setHost("");
    setToken("");
  };
  return (
    <Section title="Model files">
      <form className="cass-form" aria-label="Model hosts" onSubmit={(event) => void submit(event)}>
        <Loaded of={hosts}>
          {(all) => (
            <>
              <div className="cass-buttons">
                <span className="cass-quiet">They may come from:</span>
                {all.map((each) => (
                  <Button
                    key={each.origin}
                    look="chip"
                    title={each.origin}
                    aria-pressed={each.origin === host}
                    onClick={() => setHost(each.origin)}
                  >
                    {each.name}
                    <small>{tokenWords(each)}</small>
                  </Button>
                ))}
              </div>
              <div className="cass-fields">
                <Field
                  label="Host"
                  list={listId}
                  spellCheck={false}
                  placeholder="models.example.org"
                  value={host}
                  onValue={setHost}
                />
                <datalist id={listId}>
                  {all.map(({ origin }) => (
                    <option key={origin} value={origin} />
                  ))}
                </datalist>
                <Field
                  label="Token, if it needs one"
                  type="password"
                  autoComplete="off"
                  value={token}
                  onValue={(text) => setToken(text.trim())}
                />
              </div>
              <div className="cass-buttons">
                <Button type="submit" disabled={!host.trim()}>
                  Save the host
                </Button>
                {all
                  .filter(
                    ({ origin, source, token: has }) => origin === host && (source === "settings" || has.set),
                  )
                  .map((each) => (
                    <Removal key={each.origin} host={each} onRemove={(wanted) => void change(wanted)} />
                  ))}
              </div>
            </>
          )}
        </Loaded>
      </form>
    </Section>
  );
}

/** Takes a host off the list, or its token away; nobody can bring a token back. */
function Removal({
  host: { origin, name, source, token },
  onRemove,
}: {
  host: ModelHost;
  onRemove(change: HostChange): void;
}) {
  const [isAsking, setAsking] = useState(false);
  const isOwn = source === "settings";
  const remove = () => onRemove(isOwn ? { host: origin, listed: false } : { host: origin, token: "" });
  if (isAsking)
    return (
      <Confirmation
        question={isOwn ? `Remove ${name}?` : `Remove the token of ${name}?`}
        about="You would have to enter the token again."
        onDelete={remove}
        onKeep={() => setAsking(false)}
      />
    );
  return (
    <Button look="plain" onClick={() => (token.set ? setAsking(true) : remove())}>
      {isOwn ? `Remove ${name}` : `Remove the token of ${name}`}
    </Button>
  );
}
