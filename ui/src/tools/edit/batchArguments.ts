/** The operations of a batch as a model writes them: one flat object each. */

import { z } from "zod";
import { listArgument, textArgument, valuesArgument } from "../arguments";
import { ToolError } from "../tool";
import type { Operation, OperationName, PromotedSlot } from "./operation";

const names = [
  "add",
  "remove",
  "connect",
  "disconnect",
  "set",
  "replace",
  "insert",
  "move",
  "mode",
  "title",
  "color",
  "group",
  "makeSubgraph",
  "expandSubgraph",
  "promote",
  "demote",
] as const satisfies readonly OperationName[];

const modes = {
  active: "active",
  bypass: "bypassed",
  bypassed: "bypassed",
  mute: "muted",
  muted: "muted",
} as const;

const fields = z.object({
  op: z.enum(names),
  nodes: listArgument(textArgument("Id."), "What it acts on: ids, names of this batch, paths.").optional(),
  type: textArgument("Node type (add, replace, insert).").optional(),
  as: textArgument("Name for the new node within this batch.").optional(),
  from: textArgument("Source: node.OUTPUT.").optional(),
  to: textArgument(
    "Target: node.input. insert: the input whose link it goes into. promote shows a slot or widget inside a subgraph (12:5.seed) on its node, demote (12.seed) hides it.",
  ).optional(),
  widgets: valuesArgument("Values by widget name (add, set, replace, insert).").optional(),
  inputs: valuesArgument("add: node.OUTPUT by input name.").optional(),
  mode: z
    .enum(["active", "bypass", "mute"])
    .or(z.string())
    .meta({ type: "string", enum: ["active", "bypass", "mute"] })
    .optional(),
  title: textArgument("Title of node, group or subgraph; promote: the slot's name.").optional(),
  color: textArgument("Color name, #rrggbb or none.").optional(),
  position: z.object({ x: z.coerce.number(), y: z.coerce.number() }).optional(),
  inside: textArgument("add: the subgraph node to add it in.").optional(),
});

type Fields = z.infer<typeof fields>;

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

export const operationList = z
  .preprocess((value) => (Array.isArray(value) ? value.map(withUsualNames) : value), z.array(fields))
  .meta({ description: "Carried out in order." });

/** Throws a ToolError naming the operations that lack something. */
export function operationsWritten(list: readonly Fields[]): Operation[] {
  const problems: string[] = [];
  const operations = list.flatMap((each, index) => {
    try {
      return [operationOf(each)];
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      problems.push(`operations[${index}] ${each.op}: ${error.message}`);
      return [];
    }
  });
  if (problems.length > 0) throw new ToolError(`Nothing was changed. ${problems.join(" ")}`);
  return operations;
}

function operationOf(given: Fields): Operation {
  const { op, nodes, widgets } = given;
  const some = () => (nodes && nodes.length > 0 ? nodes : missing("nodes"));
  const one = () => {
    const [first, ...more] = some();
    return first !== undefined && more.length === 0 ? first : missing("nodes with one id");
  };
  const need = <Name extends keyof Fields>(name: Name): NonNullable<Fields[Name]> =>
    given[name] ?? missing(name);
  const extras = { ...(widgets && { widgets }), ...(given.as !== undefined && { as: given.as }) };
  switch (op) {
    case "add":
      return {
        op,
        type: need("type"),
        ...extras,
        ...(given.title !== undefined && { title: given.title }),
        ...(given.inputs && { inputs: sources(given.inputs) }),
        ...(given.position && { position: given.position }),
        ...(given.inside !== undefined && { inside: given.inside }),
      };
    case "remove":
      return { op, nodes: some() };
    case "connect":
      return { op, from: need("from"), to: need("to") };
    case "disconnect":
      return { op, to: need("to") };
    case "set":
      return { op, nodes: some(), widgets: need("widgets") };
    case "replace":
      return { op, node: one(), type: need("type"), ...extras };
    case "insert":
      if (given.type === undefined && !nodes) return missing("type or nodes");
      return {
        op,
        to: need("to"),
        ...extras,
        ...(given.type === undefined ? { node: one() } : { type: given.type }),
      };
    case "move":
      return { op, nodes: some(), position: need("position") };
    case "mode":
      return { op, nodes: some(), mode: modeOf(need("mode")) };
    case "title":
      return { op, node: one(), title: need("title") };
    case "color":
      return { op, nodes: some(), ...(given.color !== undefined && { color: given.color }) };
    case "group":
      return {
        op,
        nodes: some(),
        title: given.title ?? "Group",
        ...(given.color !== undefined && { color: given.color }),
      };
    case "makeSubgraph":
      return { op, nodes: some(), ...(given.title !== undefined && { title: given.title }) };
    case "expandSubgraph":
      return { op, node: one() };
    case "promote":
      return { op, slot: promotedSlot(given), ...(given.title !== undefined && { name: given.title }) };
    case "demote":
      return { op, slot: promotedSlot(given) };
    default:
      return op satisfies never;
  }
}

/** An input or widget is named by `to`, an output by `from`. */
function promotedSlot({ from, to }: Fields): PromotedSlot {
  if (to !== undefined && from === undefined) return { side: "input", reference: to };
  if (from !== undefined && to === undefined) return { side: "output", reference: from };
  return missing("to (an input or widget) or from (an output)");
}

function sources(inputs: NonNullable<Fields["inputs"]>): Record<string, string> {
  return Object.fromEntries(Object.entries(inputs).map(([input, source]) => [input, String(source)]));
}

function modeOf(written: string): (typeof modes)[keyof typeof modes] {
  const mode = Object.entries(modes).find(([name]) => name === written.trim().toLowerCase())?.[1];
  return mode ?? missing("mode: active, bypass or mute");
}

function missing(what: string): never {
  throw new ToolError(`It needs ${what}.`);
}
