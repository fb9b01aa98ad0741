/** The tools as function definitions, in the plain subset of JSON Schema that every provider takes. */

import { z } from "zod";
import { browserTools } from ".";

export interface ToolDeclaration {
  name: string;
  description: string;
  parameters: Schema;
}

interface Schema {
  type: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: string[];
}

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    type: z.string(),
    description: z.string().optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    items: schema.optional(),
    enum: z.array(z.string()).optional(),
  }),
);

export function toolContract(): ToolDeclaration[] {
  return browserTools.map(({ name, description, input }) => ({
    name,
    description,
    parameters: schema.parse(
      z.toJSONSchema(input, { target: "draft-7", io: "input", unrepresentable: "any" }),
    ),
  }));
}

/** What `contract/tools.json` holds. */
export function contractText(): string {
  return `${JSON.stringify(toolContract(), null, 2)}\n`;
}

/** Close to what o200k counts for compact JSON of this kind: one token per 4.4 characters. */
export function estimatedTokens(): number {
  return Math.round(JSON.stringify(toolContract()).length / 4.4);
}
