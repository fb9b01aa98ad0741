import { type FormEvent, useCallback, useId, useState } from "react";
import type { ContextApi } from "../api/contextApi";
import type { Option, OptionValue } from "../api/contextReplies";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { keptPerShown, shownUnit, valueWords } from "../api/optionWords";
import { Checkbox, Field } from "../ui/Field";
import { Loaded } from "../ui/Page";
import { Problem } from "../ui/Problem";
import { useResource } from "../ui/useResource";

/** The options of the context; each is saved when it is changed. */
export function OptionsPage({ api }: { api: ContextApi }) {
  const all = useResource(useCallback(() => api.options(), [api]));
  return (
    <Loaded of={all}>
      {(options) => (
        <div className="cass-options">
          {options.map((option) => (
            <OptionRow
              key={`${option.name}=${option.value}`}
              option={option}
              save={async (value) => {
                const saved = await api.configure(option.name, value);
                all.accept(options.map((each) => (each.name === saved.name ? saved : each)));
              }}
            />
          ))}
        </div>
      )}
    </Loaded>
  );
}

function OptionRow({ option, save }: { option: Option; save(value: OptionValue): Promise<void> }) {
  const { label, value, description, kind, unset, min, max } = option;
  const perShown = keptPerShown(option);
  const shown = typeof value === "number" ? String(value / perShown) : "";
  const [text, setText] = useState(shown);
  const [failure, setFailure] = useState<ErrorDetails>();
  const id = useId();
  const put = (next: OptionValue) =>
    save(next).then(
      () => setFailure(undefined),
      (error: unknown) => setFailure(detailsOf(error)),
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text !== shown) void put(text.trim() === "" ? null : Math.round(Number(text) * perShown));
  };
  return (
    <div className="cass-option">
      <label htmlFor={id}>
        {label}
        <small>
          {description}
          {value !== option.default &&
            option.default !== null &&
            ` Default: ${valueWords({ ...option, value: option.default })}.`}
        </small>
      </label>
      {kind === "boolean" && <Checkbox id={id} checked={value === true} onTurn={(isOn) => void put(isOn)} />}
      {kind === "integer" && (
        <form onSubmit={submit} onBlur={submit}>
          <Field
            label={label}
            isLabelHidden
            id={id}
            type="number"
            min={min && min / perShown}
            max={max && max / perShown}
            step={1 / perShown}
            placeholder={unset}
            value={text}
            onValue={setText}
          />
          <small>{shownUnit(option)}</small>
        </form>
      )}
      {failure && <Problem details={failure} />}
    </div>
  );
}
