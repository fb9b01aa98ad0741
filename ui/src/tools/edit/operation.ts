/** The shape of an operation: what may be done to a graph, as a model asks for it and as it is carried out. */

import type { z } from "zod";
import { ToolError } from "../tool";
import { isEmpty } from "../values/arguments";
import type { Draft } from "./draft";
import { asOne } from "./faults";
import type { Step } from "./step";
import { examples } from "./vocabulary";

/** One entry of a batch: an operation with what is asked of it. */
export interface Edit {
  operation: string;
  /** Name in the batch of the node that it makes. */
  as?: string;
  /** As a model has written it. */
  written?: WrittenEdit;
  /** Tries it on the draft. Throws a ToolError where it does not fit. */
  plan(draft: Draft): Iterable<Step>;
}

/** One flat object: the operation's name as `op`, and its fields. */
export type WrittenEdit = Readonly<Record<string, unknown>> & { readonly op: string };

export type Fields = Readonly<Record<string, z.ZodType>>;

export interface Operation {
  name: string;
  /** What a model writes, in words of the vocabulary or of its own; needed unless optional. */
  fields: Fields;
  /** Optional fields that an example has. */
  usual?: readonly string[];
  /** What else models call it, in any spelling, with the fields that such a name says. */
  alsoCalled?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What a field means here, where that has to be said: appended to its description. */
  notes?: Readonly<Record<string, string>>;
  /**
   * From all that was written, with fields as the schema has checked them. Throws a ToolError that says what it needs,
   * and what it has no use for: nothing that is asked for is passed over.
   */
  read(written: Readonly<Record<string, unknown>>): Edit;
}

export interface DefinedOperation<Request> extends Operation {
  with(request: Request): Edit;
}

export interface Definition<Given extends Fields, Request>
  extends Pick<Operation, "name" | "notes" | "usual" | "alsoCalled"> {
  fields: Given;
  read(given: z.infer<z.ZodObject<Given>>): Request;
  plan(draft: Draft, request: Request): Iterable<Step>;
}

export function defineOperation<Given extends Fields, Request extends object>({
  name,
  fields,
  notes,
  usual,
  alsoCalled,
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
    ...(usual && { usual }),
    ...(alsoCalled && { alsoCalled }),
    with: edit,
    read(written) {
      const missing = Object.entries(fields).flatMap(([field, type]) =>
        !type.isOptional() && isMissing(written[field]) ? [needs(field)] : [],
      );
      const unused = Object.keys(written).filter((field) => !(field in fields) && !isEmpty(written[field]));
      const faults = unused.length > 0 ? [...missing, hasNo(unused, Object.keys(fields))] : missing;
      if (faults.length > 0) throw asOne(faults);
      return edit(read(written as z.infer<z.ZodObject<Given>>));
    },
  };
}

/** For what an operation cannot do without. */
export function needs(what: string): ToolError {
  const example = examples[what];
  const such = typeof example === "string" ? example : JSON.stringify(example);
  return new ToolError(`It needs ${what}${example === undefined ? "" : `, such as ${such}`}.`);
}

function hasNo(fields: readonly string[], known: readonly string[]): ToolError {
  const instead = fields.includes("inputs") ? "connect links nodes that are there." : undefined;
  return new ToolError(`It has no ${fields.join(", ")}; it takes ${known.join(", ")}.`, instead);
}

function isMissing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
