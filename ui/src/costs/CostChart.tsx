import { dollars, shortAmount } from "../shared/amounts";
import type { Bar, Measure } from "./chartBars";

interface Props {
  bars: readonly Bar[];
  models: readonly string[];
  measure: Measure;
}

/** Marks all that is of one model in its colour. */
export const colourOf = (models: readonly string[], model: string) => ({
  style: { "--cass-turn": models.indexOf(model) * 67 } as React.CSSProperties,
});

/** A bar for each day or month, with a part for each model. */
export function CostChart({ bars, models, measure }: Props) {
  const written = measure === "money" ? dollars : (amount: number) => `${shortAmount(amount)} tokens`;
  const most = Math.max(...bars.map(({ total }) => total));
  const spoken = bars
    .filter(({ total }) => total > 0)
    .map(({ label, total }) => `${label}: ${written(total)}`);
  return (
    <div className="cass-cost-chart" role="img" aria-label={spoken.join(", ") || "Nothing was spent"}>
      <small className="cass-cost-most">{most > 0 ? written(most) : "Nothing was spent in this time."}</small>
      <div className="cass-cost-bars">
        {bars.map(({ label, total, parts }) => (
          <div key={label} title={describe(label, total, parts, written)}>
            {parts.map(({ model, amount }) => (
              <i
                key={model}
                className="cass-cost-colour"
                style={{ ...colourOf(models, model).style, height: `${(100 * amount) / most}%` }}
              />
            ))}
          </div>
        ))}
      </div>
      <div className="cass-cost-days">
        <small>{bars.at(0)?.label}</small>
        <small>{bars.at(-1)?.label}</small>
      </div>
    </div>
  );
}

function describe(label: string, total: number, parts: Bar["parts"], written: (amount: number) => string) {
  const each = parts.length > 1 ? parts.map(({ model, amount }) => `${model}: ${written(amount)}`) : [];
  return [`${label}: ${written(total)}`, ...each].join("\n");
}
