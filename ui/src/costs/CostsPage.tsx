import { useCallback, useEffect, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { amountOf, percent, shortAmount } from "../shared/amounts";
import { addStyles } from "../ui/addStyles";
import { Problem } from "../ui/Problem";
import { BudgetFields } from "./BudgetFields";
import { CostChart, colourOf } from "./CostChart";
import { CostTable } from "./CostTable";
import { amountIn, barsOf, type Measure, tokensOf } from "./chartBars";
import styles from "./costs.css?inline";
import { type Costs, readCosts, type Spent, type ThreadCosts } from "./costsApi";
import { moneyOf } from "./moneyOf";

addStyles(styles);

interface Choice<Value> {
  label: string;
  value: Value;
}

const periods: Choice<number>[] = [
  { label: "7 days", value: 7 },
  { label: "30 days", value: 30 },
  { label: "12 months", value: 365 },
];
const measures: Choice<Measure>[] = [
  { label: "Money", value: "money" },
  { label: "Tokens", value: "tokens" },
];

interface Props {
  api: AssistantApi;
  /** The open chat, undefined where nothing was said in it. */
  threadId: string | undefined;
  onOpen(threadId: string): void;
}

/** What models have cost: by day, by model, by chat, by answer; and the budgets. */
export function CostsPage({ api, threadId, onOpen }: Props) {
  const [days, setDays] = useState(30);
  const [costs, setCosts] = useState<{ all: Costs; ofThread: ThreadCosts | undefined }>();
  const [failure, setFailure] = useState<ErrorDetails>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt is a reason to ask again
  useEffect(() => {
    let isCurrent = true;
    setFailure(undefined);
    readCosts(api.context.client, days, threadId).then(
      (read) => isCurrent && setCosts(read),
      (error: unknown) => isCurrent && setFailure(detailsOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [api, days, threadId, attempt]);
  const again = useCallback(() => setAttempt((previous) => previous + 1), []);
  return (
    <div className="cass-page cass-costs">
      {failure && (
        <Problem details={failure}>
          <button type="button" className="cass-button" onClick={again}>
            Try again
          </button>
        </Problem>
      )}
      {!costs && !failure && <p className="cass-quiet">Loading…</p>}
      {costs && (
        <>
          <div className="cass-cost-sums">
            <Sum label="Today" spent={costs.all.today} />
            {costs.ofThread && <Sum label="This chat" spent={costs.ofThread.total} />}
            <Sum label={periods.find(({ value }) => value === days)?.label ?? ""} spent={costs.all.total} />
          </div>
          <div className="cass-cost-parts">
            <div>
              <Spending all={costs.all} days={days} onDays={setDays} />
              <CostTable
                title="Chats"
                of="Chat"
                rows={costs.all.chats}
                keyOf={({ threadId }) => threadId ?? ""}
                nameOf={({ threadId, title }) =>
                  threadId === null ? (
                    <span className="cass-quiet">Deleted chats</span>
                  ) : (
                    <button type="button" className="cass-line-button" onClick={() => onOpen(threadId)}>
                      {title || "New chat"}
                    </button>
                  )
                }
              />
            </div>
            <div>
              <BudgetFields api={api.context} today={costs.all.today} />
              {costs.ofThread && (
                <CostTable
                  title="Answers of this chat"
                  of="Answer"
                  rows={costs.ofThread.answers}
                  keyOf={({ messageId }) => messageId}
                  nameOf={({ requests }, index) => (
                    <>
                      {index + 1} <small>{amountOf(requests, "request")}</small>
                    </>
                  )}
                />
              )}
            </div>
          </div>
        </>
      )}
    </div>
  );
}

interface ChipsProps<Value> {
  choices: readonly Choice<Value>[];
  chosen: Value;
  onChoose(value: NoInfer<Value>): void;
}

function Chips<Value extends string | number>({ choices, chosen, onChoose }: ChipsProps<Value>) {
  return choices.map(({ label, value }) => (
    <button
      key={value}
      type="button"
      className="cass-chip"
      aria-pressed={value === chosen}
      onClick={() => onChoose(value)}
    >
      {label}
    </button>
  ));
}

function Spending({ all, days, onDays }: { all: Costs; days: number; onDays(days: number): void }) {
  const [wanted, setMeasure] = useState<Measure>();
  const measure = wanted ?? (all.total.dollars > 0 ? "money" : "tokens");
  const ranked = all.models.toSorted(
    (one, other) => amountIn(measure, other) - amountIn(measure, one) || tokensOf(other) - tokensOf(one),
  );
  const models = ranked.map(({ model }) => model);
  return (
    <>
      <div className="cass-buttons">
        <Chips choices={periods} chosen={days} onChoose={onDays} />
        <span className="cass-cost-gap" />
        <Chips choices={measures} chosen={measure} onChoose={setMeasure} />
      </div>
      <CostChart
        bars={barsOf(all.days, { since: all.since, today: all.today.day }, models, measure)}
        models={models}
        measure={measure}
      />
      <CostTable
        title="Models"
        of="Model"
        rows={ranked}
        keyOf={({ model }) => model}
        nameOf={({ model }) => (
          <>
            <i className="cass-cost-colour" {...colourOf(models, model)} />
            {model}
          </>
        )}
      />
      <Caveats {...all.total} />
    </>
  );
}

function Sum({ label, spent }: { label: string; spent: Spent }) {
  const { inputTokens, cachedInputTokens, outputTokens } = spent;
  return (
    <div className="cass-sunken">
      <small>{label}</small>
      <b>{moneyOf(spent)}</b>
      <small>
        {shortAmount(inputTokens)} in
        {cachedInputTokens > 0 && ` (${percent(cachedInputTokens / inputTokens)} cached)`},{" "}
        {shortAmount(outputTokens)} out
      </small>
    </div>
  );
}

/** What the figures leave out. */
function Caveats({ requests, unpriced, counted }: Spent) {
  return (
    <>
      {requests > 0 && (
        <p className="cass-quiet">
          Money is what the provider said that it charged, else the price of the model at that time. Models on
          this machine cost nothing.
        </p>
      )}
      {unpriced > 0 && (
        <p className="cass-quiet">
          {amountOf(unpriced, "request")} went to models whose price is not known: their tokens are counted,
          their money is not.
        </p>
      )}
      {counted > 0 && (
        <p className="cass-quiet">
          Of {amountOf(counted, "request")} the provider did not tell the tokens; they were counted here.
        </p>
      )}
    </>
  );
}
