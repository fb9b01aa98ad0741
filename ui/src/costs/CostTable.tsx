import type { ReactNode } from "react";
import { percent, shortAmount } from "../shared/amounts";
import { Section } from "../ui/Section";
import type { Spent } from "./costsApi";
import { moneyOf } from "./moneyOf";

interface Props<Row extends Spent> {
  title: string;
  /** Over the names. */
  of: string;
  rows: readonly Row[];
  nameOf(row: Row, index: number): ReactNode;
  keyOf(row: Row): string;
}

/** Who took what: a row each. */
export function CostTable<Row extends Spent>({ title, of, rows, nameOf, keyOf }: Props<Row>) {
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <table className="cass-cost-table">
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">In</th>
            <th scope="col" title="What of it the provider had in its cache">
              Cached
            </th>
            <th scope="col">Out</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row)}>
              <th scope="row">{nameOf(row, index)}</th>
              <td title={exactly(row)}>{shortAmount(row.inputTokens)}</td>
              <td>{row.inputTokens > 0 ? percent(row.cachedInputTokens / row.inputTokens) : ""}</td>
              <td>{shortAmount(row.outputTokens)}</td>
              <td>{moneyOf(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function exactly({ requests, inputTokens, cachedInputTokens, outputTokens }: Spent): string {
  const figures = [requests, inputTokens, cachedInputTokens, outputTokens].map((count) =>
    count.toLocaleString("en"),
  );
  return `${figures[0]} requests; ${figures[1]} tokens in, ${figures[2]} of them cached; ${figures[3]} out`;
}
