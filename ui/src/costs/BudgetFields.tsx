import { type FormEvent, useCallback, useState } from "react";
import type { ContextApi } from "../api/contextApi";
import { keptPerShown } from "../api/optionWords";
import { percent } from "../shared/amounts";
import { Field } from "../ui/Field";
import { Loaded } from "../ui/Page";
import { Section } from "../ui/Section";
import { useResource } from "../ui/useResource";
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
  const options = useResource(useCallback(() => api.options(), [api]));
  return (
    <Section title="Budgets" about="The assistant stops and asks at a limit. Empty means no limit.">
      <Loaded of={options}>
        {(all) =>
          budgets.map(({ name, label, unit }) => {
            const perShown = keptPerShown({ unit });
            const limit = Number(all.find((option) => option.name === name)?.value ?? 0);
            return (
              <BudgetField
                key={`${name}=${limit}`}
                label={label}
                limit={limit / perShown}
                share={unit === "cent" && limit > 0 ? (today.dollars * perShown) / limit : undefined}
                step={1 / perShown}
                onSave={(value) =>
                  void options.perform(() =>
                    api.configure(name, value === 0 ? null : Math.round(value * perShown)),
                  )
                }
              />
            );
          })
        }
      </Loaded>
    </Section>
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (Number(text) !== limit) onSave(Number(text));
  };
  return (
    <form className="cass-budget" onSubmit={submit} onBlur={submit}>
      <Field
        label={label}
        type="number"
        min={0}
        step={step}
        placeholder="none"
        value={text}
        onValue={setText}
      />
      {share !== undefined && <small data-full={share >= 1 || undefined}>{percent(share)} spent</small>}
    </form>
  );
}
