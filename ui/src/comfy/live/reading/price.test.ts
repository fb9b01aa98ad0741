import { expect, it } from "vitest";
import { priceOf } from "./price";

const priced = (expr: string) => ({ constructor: { nodeData: { price_badge: { expr } } } });

it.each([
  [
    "the badge of an older frontend",
    { badges: [{ text: "#3" }, () => ({ text: "$0.06/Run" })], constructor: {} },
    "$0.06/Run",
  ],
  ["one in credits", { badges: [{ text: "12.7 credits/Run" }], constructor: {} }, "12.7 credits/Run"],
  ["a price of the definition", priced('{"type":"usd","usd":0.06}'), "$0.06/Run"],
  ["nothing where it depends on values", priced('{"type":"usd","usd": 0.05 * widgets.n}'), undefined],
  [
    "nothing of a badge that fails",
    {
      badges: [
        () => {
          throw new Error("no");
        },
        null,
      ],
      constructor: {},
    },
    undefined,
  ],
  ["nothing for what is free", { badges: [{ text: "BETA" }], constructor: {} }, undefined],
])("takes %s", (_, node, price) => {
  expect(priceOf(node)).toBe(price);
});
