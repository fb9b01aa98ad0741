import { type FormEvent, useCallback, useEffect, useId, useState } from "react";
import type { ContextApi } from "../api/contextApi";
import type { Option } from "../api/contextReplies";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { keptPerShown } from "../api/optionWords";
import { percent } from "../shared/amounts";
import { Problem } from "../ui/Problem";
import type { Spent } from "./costsApi";

const budgets = [
  { name: "budget_turn_tokens", label: "Tokens per answer", unit: "token" },
  { name: "budget_day_cents", label: "Dollars per day", unit: "cent" },
] as const;

interface Props {
  api: ContextApi;
  /** What was spent today. */
  today: Spent;
}

/** Where the assistant stops and asks, before it spends more. */
export function BudgetFields({ api, today }: Props) {
  const [options, setOptions] = useState<Option[]>();
  const [failure, setFailure] = useState<ErrorDetails>();
  const load = useCallback(
    () => api.options().then(setOptions, (error: unknown) => setFailure(detailsOf(error))),
    [api],
  );
  useEffect(() => void load(), [load]);
  const save = (name: string, value: number | null) =>
    api.configure(name, value).then(
      (saved) => {
        setFailure(undefined);
        setOptions((all) => all?.map((each) => (each.name === saved.name ? saved : each)));
      },
      (error: unknown) => setFailure(detailsOf(error)),
    );
  return (
    <section aria-label="Budgets">
      <h3>Budgets</h3>
      <p className="cass-quiet">Where one is reached, the assistant stops and asks. Empty: none.</p>
      {failure && <Problem details={failure} />}
      {options &&
        budgets.map(({ name, label, unit }) => {
          const perShown = keptPerShown({ unit });
          const limit = Number(options.find((option) => option.name === name)?.value ?? 0);
          return (
            <BudgetField
              key={`${name}=${limit}`}
              label={label}
              limit={limit / perShown}
              share={unit === "cent" && limit > 0 ? (today.dollars * perShown) / limit : undefined}
              step={1 / perShown}
              onSave={(value) => void save(name, value === 0 ? null : Math.round(value * perShown))}
            />
          );
        })}
    </section>
  );
}

interface FieldProps {
  label: string;
  /** 0 where there is none. */
  limit: number;
  share: number | undefined;
  step: number;
  onSave(limit: number): void;
}

function BudgetField({ label, limit, share, step, onSave }: FieldProps) {
  const [text, setText] = useState(limit ? String(limit) : "");
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (Number(text) !== limit) onSave(Number(text));
  };
  return (
    <form className="cass-budget" onSubmit={submit} onBlur={submit}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="cass-field"
        type="number"
        min={0}
        step={step}
        placeholder="none"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {share !== undefined && <small data-full={share >= 1 || undefined}>{percent(share)} spent</small>}
    </form>
  );
}
