import { useCallback, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { amountOf, percent, shortAmount } from "../shared/amounts";
import { addStyles } from "../ui/addStyles";
import { Button } from "../ui/Button";
import { Loaded, Page } from "../ui/Page";
import { useResource } from "../ui/useResource";
import { BudgetFields } from "./BudgetFields";
import { CostChart, colourOf } from "./CostChart";
import { CostTable } from "./CostTable";
import { amountIn, barsOf, type Measure, tokensOf } from "./chartBars";
import styles from "./costs.css?inline";
import { type Costs, readCosts, type Spent } from "./costsApi";
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
  const costs = useResource(
    useCallback(() => readCosts(api.context.client, days, threadId), [api, days, threadId]),
  );
  return (
    <Page>
      <Loaded of={costs}>
        {({ all, ofThread }) => (
          <>
            <div className="cass-cost-sums">
              <Sum label="Today" spent={all.today} />
              {ofThread && <Sum label="This chat" spent={ofThread.total} />}
              <Sum label={periods.find(({ value }) => value === days)?.label ?? ""} spent={all.total} />
            </div>
            <div className="cass-columns cass-cost-parts">
              <div>
                <Spending all={all} days={days} onDays={setDays} />
                <CostTable
                  title="Chats"
                  of="Chat"
                  rows={all.chats}
                  keyOf={({ threadId }) => threadId ?? ""}
                  nameOf={({ threadId, title }) =>
                    threadId === null ? (
                      <span className="cass-quiet">Deleted chats</span>
                    ) : (
                      <Button look="line" onClick={() => onOpen(threadId)}>
                        {title || "New chat"}
                      </Button>
                    )
                  }
                />
              </div>
              <div>
                <BudgetFields api={api.context} today={all.today} />
                {ofThread && (
                  <CostTable
                    title="Answers of this chat"
                    of="Answer"
                    rows={ofThread.answers}
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
      </Loaded>
    </Page>
  );
}

interface ChipsProps<Value> {
  choices: readonly Choice<Value>[];
  chosen: Value;
  onChoose(value: NoInfer<Value>): void;
}

function Chips<Value extends string | number>({ choices, chosen, onChoose }: ChipsProps<Value>) {
  return choices.map(({ label, value }) => (
    <Button key={value} look="chip" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
      {label}
    </Button>
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
