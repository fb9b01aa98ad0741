import { expect, it } from "vitest";
import { priceOf } from "./price";

const priced = (expr: string, depends_on?: object) => ({
  constructor: { nodeData: { price_badge: { expr, depends_on } } },
});

it.each([
  [
    "the badge of an older frontend",
    { badges: [{ text: "#3" }, () => ({ text: "$0.06/Run" })], constructor: {} },
    "$0.06/Run",
  ],
  ["one in credits", { badges: [{ text: "12.7 credits/Run" }], constructor: {} }, "12.7 credits/Run"],
  ["a price of the definition", priced('{"type":"usd","usd":0.06}'), "$0.06/Run"],
  [
    "one with its own words",
    priced('{"type":"usd","usd":0.5,"format":{"suffix":"/second","approximate":true,"note":"(beta)"}}'),
    "~$0.5/second (beta)",
  ],
  ["a range", priced('{"type":"range_usd","min_usd":0.04,"max_usd":0.12}'), "$0.04-$0.12/Run"],
  ["a text", priced('{"type":"text","text":"Token-based"}'), "Token-based"],
  [
    "what it depends on, where that is values and inputs",
    priced('{"type":"usd","usd": 0.05 * widgets.n}', {
      widgets: [{ name: "n", type: "INT" }],
      inputs: ["images"],
      input_groups: ["model.images"],
    }),
    "an amount that depends on n, images, model.images",
  ],
  ["nothing where it does not say", priced('{"type":"usd","usd": 0.05 * widgets.n}'), undefined],
  ["nothing of a definition that is broken", priced('{"type":"usd","usd":"x"}', { widgets: 3 }), undefined],
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
