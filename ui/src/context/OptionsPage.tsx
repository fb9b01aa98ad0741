import { type FormEvent, useCallback, useId, useState } from "react";
import type { ContextApi } from "../api/contextApi";
import type { ConfigSetting, SettingValue } from "../api/contextReplies";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { Problem } from "../shared/Problem";
import { useLoaded, WhenLoaded } from "./useLoaded";

/** The settings of the context; each is saved when it is changed. */
export function OptionsPage({ api }: { api: ContextApi }) {
  const loading = useLoaded(useCallback(() => api.settings(), [api]));
  return (
    <WhenLoaded loading={loading}>
      {(settings) => (
        <div className="cass-options">
          {settings.map((setting) => (
            <Option
              key={`${setting.name}=${setting.value}`}
              setting={setting}
              save={async (value) => {
                const saved = await api.configure(setting.name, value);
                loading.accept(settings.map((each) => (each.name === saved.name ? saved : each)));
              }}
            />
          ))}
        </div>
      )}
    </WhenLoaded>
  );
}

function Option({ setting, save }: { setting: ConfigSetting; save(value: SettingValue): Promise<void> }) {
  const { name, value, description, kind, choices, min, max } = setting;
  const [text, setText] = useState(value === null ? "" : String(value));
  const [failure, setFailure] = useState<ErrorDetails>();
  const id = useId();
  const put = (next: SettingValue) =>
    save(next).then(
      () => setFailure(undefined),
      (error: unknown) => setFailure(detailsOf(error)),
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text !== String(value ?? "")) void put(text.trim() === "" ? null : Number(text));
  };
  return (
    <div className="cass-option">
      <label htmlFor={id}>
        <code>{name}</code>
        <small>
          {description}
          {value !== setting.default && setting.default !== null && ` Default: ${setting.default}.`}
        </small>
      </label>
      {kind === "boolean" && (
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          onChange={(event) => void put(event.target.checked)}
        />
      )}
      {kind === "choice" && (
        <select
          id={id}
          className="cass-field"
          value={String(value)}
          onChange={(event) => void put(event.target.value)}
        >
          {choices?.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
      {kind === "integer" && (
        <form onSubmit={submit} onBlur={submit}>
          <input
            id={id}
            className="cass-field"
            type="number"
            min={min ?? undefined}
            max={max ?? undefined}
            placeholder="automatic"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </form>
      )}
      {failure && <Problem details={failure} />}
    </div>
  );
}
