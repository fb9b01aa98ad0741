import { z } from "zod";

const tokenPrice = z.object({ input: z.number(), cached: z.number(), output: z.number() });
/** A model as its server lists it; null is what nobody tells. */
export const listedModel = z.object({
  id: z.string(),
  window: z.number().nullable(),
  price: tokenPrice.nullable(),
});
export type ListedModel = z.infer<typeof listedModel>;
