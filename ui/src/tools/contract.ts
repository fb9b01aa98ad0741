/**
 * What the server has to know of the tools: function definitions in the plain subset of JSON Schema that every
 * provider takes, and facts that no model is sent.
 */

import { z } from "zod";
import { browserTools } from ".";
import type { Tool } from "./tool";

export interface ToolDeclaration extends Pick<Tool, "effect" | "share" | "slim"> {
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

export const toolContract: readonly ToolDeclaration[] = browserTools.map(declarationOf);

function declarationOf(tool: Tool): ToolDeclaration {
  const { name, description, input, effect, share, slim } = tool;
  return {
    name,
    description,
    parameters: schema.parse(
      z.toJSONSchema(input, { target: "draft-7", io: "input", unrepresentable: "any" }),
    ),
    effect,
    ...(share && { share }),
    ...(slim && { slim }),
  };
}

/** What `contract/tools.json` holds. */
export function contractText(): string {
  return `${JSON.stringify(toolContract, null, 2)}\n`;
}

/** Close to what o200k counts for compact JSON of this kind: one token per 4.4 characters. */
export function estimatedTokens(): number {
  const sent = toolContract.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return Math.round(JSON.stringify(sent).length / 4.4);
}
