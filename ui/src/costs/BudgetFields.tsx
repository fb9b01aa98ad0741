import { type FormEvent, useCallback, useEffect, useId, useState } from "react";
import type { ContextApi } from "../api/contextApi";
import type { Option } from "../api/contextReplies";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { keptPerShown, shownUnit } from "../api/optionWords";
import { percent } from "../shared/amounts";
import { Problem } from "../shared/Problem";
import { tokensOf } from "./chartBars";
import type { Spent } from "./costsApi";

const scopes = [
  { scope: "turn", label: "One message" },
  { scope: "chat", label: "One chat" },
  { scope: "day", label: "A day" },
] as const;
const units = ["token", "cent"] as const;

interface Props {
  api: ContextApi;
  /** What was spent so far of those budgets that go on. */
  spent: { day: Spent; chat: Spent | undefined };
}

/** Where the assistant stops and asks, before it spends more. */
export function BudgetFields({ api, spent }: Props) {
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
        scopes.map(({ scope, label }) => (
          // biome-ignore lint/a11y/useSemanticElements: a legend cannot stand in the line of its fields
          <div key={scope} className="cass-budgets" role="group" aria-label={label}>
            <span>{label}</span>
            {units.map((unit) => {
              const perShown = keptPerShown({ unit });
              const name = `budget_${scope}_${unit}s`;
              const limit = Number(options.find((option) => option.name === name)?.value ?? 0);
              const used = scope === "turn" ? undefined : spent[scope];
              return (
                <BudgetField
                  key={`${name}=${limit}`}
                  label={shownUnit({ unit })}
                  limit={limit / perShown}
                  share={used && limit > 0 ? amountOf(used, unit) / limit : undefined}
                  step={1 / perShown}
                  onSave={(value) => void save(name, value === 0 ? null : Math.round(value * perShown))}
                />
              );
            })}
          </div>
        ))}
    </section>
  );
}

const amountOf = (spent: Spent, unit: "token" | "cent") =>
  unit === "token" ? tokensOf(spent) : spent.dollars * 100;

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
    <form onSubmit={submit} onBlur={submit}>
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
      <label htmlFor={id}>
        {label}
        {share !== undefined && <small data-full={share >= 1 || undefined}>{percent(share)} spent</small>}
      </label>
    </form>
  );
}
