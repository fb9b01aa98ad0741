import { z } from "zod";
import type { Json } from "../../graph/graph";

/** In one call: a file of prompts with one on each line is run in one. */
export const mostRuns = 100;

const values = z.preprocess(
  (given) => (given === undefined || Array.isArray(given) ? given : [given]),
  z.array(z.custom<Json>((value) => value !== undefined, "a value is required")).min(1),
);

const variation = z.object({ node: z.coerce.string(), widget: z.string(), values });

/** Widgets with the values to try; a single one counts as a list of one. */
export function variationsArgument(description: string) {
  return z
    .preprocess(
      (given) => (given === undefined || Array.isArray(given) ? given : [given]),
      z.array(variation),
    )
    .meta({
      type: "array",
      description,
      items: {
        type: "object",
        properties: {
          node: { type: "string" },
          widget: { type: "string" },
          values: { type: "array", items: { type: "string" } },
        },
        required: ["node", "widget", "values"],
      },
    });
}
