import { type FormEvent, useEffect, useId, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { Problem } from "../ui/Problem";
import { type HostChange, type ModelHost, modelHosts, tokenWords } from "./modelHosts";

/** Where model files may come from, and the tokens that these hosts want. */
export function ModelHosts({ api }: { api: AssistantApi }) {
  const [hosts, setHosts] = useState<readonly ModelHost[]>([]);
  const [failure, setFailure] = useState<ErrorDetails>();
  const [host, setHost] = useState("");
  const [token, setToken] = useState("");
  const listId = useId();
  const load = async (change?: HostChange) => {
    try {
      setHosts(await modelHosts(api, change));
      setFailure(undefined);
      return true;
    } catch (error) {
      setFailure(detailsOf(error));
      return false;
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is opened
  useEffect(() => void load(), [api]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await load({ host: host.trim(), ...(token && { token }) }))) return;
    setHost("");
    setToken("");
  };
  return (
    <form className="cass-form" aria-label="Model hosts" onSubmit={(event) => void submit(event)}>
      <div className="cass-buttons cass-found">
        <span>They may come from:</span>
        {hosts.map((each) => (
          <button
            key={each.origin}
            type="button"
            className="cass-chip"
            title={each.origin}
            onClick={() => setHost(each.origin)}
          >
            {each.name}
            <small>{tokenWords(each)}</small>
          </button>
        ))}
      </div>
      <div className="cass-fields">
        <label className="cass-labelled">
          <span>Host</span>
          <input
            className="cass-field"
            list={listId}
            spellCheck={false}
            placeholder="models.example.org"
            value={host}
            onChange={(event) => setHost(event.target.value)}
          />
          <datalist id={listId}>
            {hosts.map(({ origin }) => (
              <option key={origin} value={origin} />
            ))}
          </datalist>
        </label>
        <label className="cass-labelled">
          <span>Token, where it wants one</span>
          <input
            className="cass-field"
            type="password"
            autoComplete="off"
            value={token}
            onChange={(event) => setToken(event.target.value.trim())}
          />
        </label>
      </div>
      <div className="cass-buttons">
        <button type="submit" className="cass-button" disabled={!host.trim()}>
          Save the host
        </button>
        {hosts
          .filter(({ origin, source, token: has }) => origin === host && (source === "settings" || has.set))
          .map(({ origin, source, name }) => (
            <button
              key={origin}
              type="button"
              className="cass-button cass-plain"
              onClick={() =>
                void load(
                  source === "settings" ? { host: origin, listed: false } : { host: origin, token: "" },
                )
              }
            >
              {source === "settings" ? `Remove ${name}` : `Remove the token of ${name}`}
            </button>
          ))}
      </div>
      {failure && <Problem details={failure} />}
    </form>
  );
}
