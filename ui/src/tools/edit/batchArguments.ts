/** The edits of a batch as a model writes them: one flat object each. */

import { z } from "zod";
import { ToolError } from "../tool";
import type { Edit, Fields } from "./operation";
import { operations } from "./operations/list";
import { vocabulary } from "./vocabulary";

const entry = z.object({ op: z.enum(operations.map(({ name }) => name)), ...entryFields() });

type Entry = z.infer<typeof entry>;

export const editList = z
  .preprocess((value) => (Array.isArray(value) ? value.map(withUsualNames) : value), z.array(entry))
  .meta({ description: "Carried out in order." });

/** Throws a ToolError naming the operations that lack something. */
export function readEdits(entries: readonly Entry[]): Edit[] {
  const problems: string[] = [];
  const edits = entries.flatMap((each, index) => {
    try {
      return operations.find(({ name }) => name === each.op)?.read(each) ?? [];
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      problems.push(`operations[${index}] ${each.op}: ${error.message}`);
      return [];
    }
  });
  if (problems.length > 0) throw new ToolError(`Nothing was changed. ${problems.join(" ")}`);
  return edits;
}

/** The vocabulary, and behind it what single operations have of their own. */
function entryFields(): Fields {
  const own = operations
    .flatMap(({ fields }) => Object.entries(fields))
    .filter(([field]) => !(field in vocabulary));
  const all: [string, z.ZodType][] = [...Object.entries(vocabulary), ...own];
  return Object.fromEntries(all.map(([field, type]) => [field, describe(field, type).optional()]));
}

function describe(field: string, type: z.ZodType): z.ZodType {
  const { description, ...meta } = type.meta() ?? {};
  if (description === undefined) return type;
  const readers = operations.filter(({ fields }) => field in fields);
  const words = description.replace("{operations}", readers.map(({ name }) => name).join(", "));
  const notes = readers.flatMap((each) => each.notes?.[field] ?? []);
  return type.meta({ ...meta, description: [words, ...notes].join(" ") });
}

/** Small models write `node` for `nodes`, and one value as `widget` and `value`. */
function withUsualNames(written: unknown): unknown {
  if (written === null || typeof written !== "object" || Array.isArray(written)) return written;
  const given = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== null));
  const { node, id, widget, value, name, ...rest } = given;
  const nodes = given.nodes ?? node ?? id;
  const isOne = typeof widget === "string" && value !== undefined && given.widgets === undefined;
  return {
    ...rest,
    ...(nodes !== undefined && { nodes }),
    ...(isOne && { widgets: { [widget]: value } }),
    ...(name !== undefined && given.as === undefined && { as: name }),
  };
}
