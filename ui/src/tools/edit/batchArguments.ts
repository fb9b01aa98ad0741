/** The edits of a batch as a model writes them: one flat object each. */

import { z } from "zod";
import type { Json } from "../../graph/graph";
import { isEmpty, parsed } from "../values/arguments";
import { spelled } from "../values/spelling";
import { isName } from "./draftNames";
import { faultOf } from "./faults";
import type { Edit, Fields, Operation, WrittenEdit } from "./operation";
import { operations } from "./operations/list";
import { examples, vocabulary } from "./vocabulary";

/** What no operation knows stays in it, to be refused by name. */
const entry = z.looseObject({ op: z.enum(operations.map(({ name }) => name)), ...entryFields() });

export const editList = z.preprocess(
  (value) => (value === undefined ? value : listWritten(value).map(withUsualNames).flatMap(eachTarget)),
  z.array(entry).min(1),
);

/** An edit that lacks something is refused when it is planned, together with what else does not fit. */
export function readEdits(entries: readonly WrittenEdit[]): Edit[] {
  return entries.flatMap((entry) => {
    const { op, ...written } = entry;
    try {
      const edit = operationNamed(op)?.read(written);
      return edit ? [{ ...edit, written: entry }] : [];
    } catch (error) {
      const fault = faultOf(error);
      const plan = () => {
        throw fault;
      };
      const { as } = written;
      return [{ operation: op, ...(typeof as === "string" && { as }), written: entry, plan }];
    }
  });
}

/** One batch that is written as it should be, for a model that has not: with the first operation that it names. */
export function exampleFor(written: unknown): string {
  const op = listWritten(written).flatMap((each) => operationNamed(Object(each).op) ?? [])[0];
  return JSON.stringify({ operations: [exampleOf(op ?? operationNamed("set"))] });
}

function exampleOf(operation: Operation | undefined): Json {
  const { name = "", fields = {}, usual = [] } = operation ?? {};
  const told = Object.keys(fields).filter((field) => !fields[field]?.isOptional() || usual.includes(field));
  return { op: name, ...Object.fromEntries(told.map((field) => [field, examples[field] ?? ""])) };
}

/** By its name or another that models give it, in any spelling, with what such a name says. */
function operationCalled(wanted: unknown): Record<string, string> | undefined {
  const called = typeof wanted === "string" ? spelled(wanted) : "";
  for (const { name, alsoCalled = {} } of operations)
    for (const [other, says] of Object.entries({ [name]: {}, ...alsoCalled }))
      if (spelled(other) === called) return { ...says, op: name };
  return undefined;
}

function operationNamed(wanted: unknown): Operation | undefined {
  return operations.find(({ name }) => name === wanted);
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

/** Small models write the list as JSON text, or its only operation without the list. */
function listWritten(value: unknown): unknown[] {
  const whole = parsed(value);
  const list: unknown = Object(whole).operations ?? whole;
  return (Array.isArray(list) ? list : [list]).map(parsed);
}

/** `to` with the node that was named beside it. */
function targetWhole(fields: Written): void {
  const { nodes, to } = fields;
  const [node, ...more] = Array.isArray(nodes) ? nodes : [nodes];
  if (node === undefined || more.length > 0 || (to !== undefined && String(to).includes("."))) return;
  fields.to = to === undefined ? String(node) : `${node}.${to}`;
  delete fields.nodes;
}

/** One output into several inputs is written as one `connect` with a list; ["4", 1] is one slot. */
function eachTarget(written: unknown): unknown[] {
  const { op, to } = Object(written);
  const areWhole = Array.isArray(to) && to.length > 0 && to.every((each) => String(each).includes("."));
  if (op !== "connect" || !areWhole) return [written];
  return to.map((each) => ({ ...Object(written), to: each }));
}

/** `from` and `to` as connectNodes has them, in two fields each. */
function slotsWhole(fields: Written): void {
  for (const side of ["from", "to"]) {
    const { [`${side}Node`]: node, [`${side}Output`]: output, [`${side}Input`]: slot = output } = fields;
    if (node === undefined || fields[side] !== undefined) continue;
    fields[side] = slot === undefined ? String(node) : `${node}.${slot}`;
    for (const each of ["Node", "Output", "Input"]) delete fields[`${side}${each}`];
  }
}

/** One value as `widget` and `value`; those of `set` also beside its own fields, each by the widget's name. */
function valuesWhole(fields: Written): void {
  const { widget, value } = fields;
  if (fields.widgets !== undefined) return;
  if (typeof widget === "string" && value !== undefined) {
    fields.widgets = { [widget]: value };
    delete fields.widget;
    delete fields.value;
  } else if (fields.op === "set") {
    const isOfNone = (name: string) => name !== "op" && !(name in vocabulary) && !isEmpty(fields[name]);
    const values = Object.entries(fields).filter(([name]) => isOfNone(name));
    if (values.length > 0) fields.widgets = Object.fromEntries(values);
    for (const [name] of values) delete fields[name];
  }
}

const unusualNames = {
  ...{ node: "nodes", id: "nodes", class_type: "type" },
  ...{ values: "widgets", params: "widgets", parameters: "widgets", properties: "widgets" },
};

type Written = { [field: string]: unknown };

/**
 * They write `node` for `nodes`, `name` for `as` or `title`, `mute` for `mode`, and values where they like. What is written
 * in the usual way, too, stays, and is refused.
 */
function withUsualNames(written: unknown): unknown {
  if (written === null || typeof written !== "object" || Array.isArray(written)) return written;
  const given = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== null));
  const fields: Written = {
    ...given,
    ...operationCalled(given.op),
    ...("mode" in given && { mode: given.mode }),
  };
  const known = operationNamed(fields.op)?.fields ?? {};
  const name = "title" in known && !("as" in known && isName(fields.name)) ? "title" : "as";
  for (const [unusual, usual] of Object.entries({ ...unusualNames, name })) {
    if (fields[unusual] === undefined || fields[usual] !== undefined) continue;
    fields[usual] = fields[unusual];
    delete fields[unusual];
  }
  slotsWhole(fields);
  if (fields.op === "disconnect") targetWhole(fields);
  valuesWhole(fields);
  return fields;
}
