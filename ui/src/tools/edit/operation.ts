/** The shape of an operation: what may be done to a graph, as a model asks for it and as it is carried out. */

import type { z } from "zod";
import { ToolError } from "../tool";
import type { Draft } from "./draft";
import type { Step } from "./step";

/** One entry of a batch: an operation with what is asked of it. */
export interface Edit {
  operation: string;
  /** Name in the batch of the node that it makes. */
  as?: string;
  /** Tries it on the draft. Throws a ToolError where it does not fit. */
  plan(draft: Draft): Iterable<Step>;
}

export type Fields = Readonly<Record<string, z.ZodType>>;

export interface Operation {
  name: string;
  /** What a model writes, in words of the vocabulary or of its own; needed unless optional. */
  fields: Fields;
  /** What a field means here, where that has to be said: appended to its description. */
  notes?: Readonly<Record<string, string>>;
  /** From fields as the schema has checked them. Throws a ToolError that says what it needs. */
  read(written: Readonly<Record<string, unknown>>): Edit;
}

export interface DefinedOperation<Request> extends Operation {
  with(request: Request): Edit;
}

export interface Definition<Given extends Fields, Request> extends Pick<Operation, "name" | "notes"> {
  fields: Given;
  read(given: z.infer<z.ZodObject<Given>>): Request;
  plan(draft: Draft, request: Request): Iterable<Step>;
}

export function defineOperation<Given extends Fields, Request extends object>({
  name,
  fields,
  notes,
  read,
  plan,
}: Definition<Given, Request>): DefinedOperation<Request> {
  const edit = (request: Request): Edit => ({
    operation: name,
    ...("as" in request && typeof request.as === "string" && { as: request.as }),
    plan: (draft) => plan(draft, request),
  });
  return {
    name,
    fields,
    ...(notes && { notes }),
    with: edit,
    read(written) {
      for (const [field, type] of Object.entries(fields))
        if (!type.isOptional() && isMissing(written[field])) throw needs(field);
      return edit(read(written as z.infer<z.ZodObject<Given>>));
    },
  };
}

/** For what an operation cannot do without. */
export function needs(what: string): ToolError {
  return new ToolError(`It needs ${what}.`);
}

function isMissing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
