/** What somebody hands over as a workflow: which form it has, or why it is none. */

import { isObject } from "../shared/json";
import { parseCompact } from "./compact/parse";
import { CompactSyntaxError } from "./compact/words";
import type { CompactWorkflow } from "./compact/workflow";
import type { PromptNodes } from "./prompt";
import type { JsonObject, UiWorkflow } from "./uiWorkflow";

export type Recognised =
  | { form: "compact"; workflow: CompactWorkflow }
  | { form: "ui"; workflow: UiWorkflow & JsonObject }
  | { form: "api"; prompt: PromptNodes };

/** The page stands still while it lays out more than this. */
const mostNodes = 3000;

/** Its message is for a model: what was found, and what would do. */
export class NoWorkflow extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = "NoWorkflow";
    this.hint = hint;
  }
}

const forms =
  "Pass the lines that getWorkflowInfo gives, or ComfyUI's JSON as it is saved (nodes, links) or exported for the API (class_type, inputs).";

export function recognise(text: string): Recognised {
  const plain = text.replace(/^\s*```\w*\n([\s\S]*?)\n```\s*$/, "$1").trim();
  const recognised = /^[[{]/.test(plain) ? recogniseJson(parsed(plain)) : compact(plain);
  const count = countNodes(recognised);
  if (count === 0) throw new NoWorkflow("The workflow has no nodes.", forms);
  if (count > mostNodes)
    throw new NoWorkflow(
      `The workflow has ${count} nodes; at most ${mostNodes} can be applied.`,
      "Apply the part that is needed.",
    );
  return recognised;
}

/** `value` is parsed JSON: a workflow, or an object that has one as `workflow` or `prompt`. */
export function recogniseJson(value: unknown): Recognised {
  if (isObject(value)) {
    const { workflow, prompt } = value;
    if (isUi(value)) return { form: "ui", workflow: value };
    if (isApi(value)) return { form: "api", prompt: value };
    if (isObject(workflow) && isUi(workflow)) return { form: "ui", workflow };
    if (isObject(prompt) && isApi(prompt)) return { form: "api", prompt };
    const keys = Object.keys(value).slice(0, 6);
    throw new NoWorkflow(
      `This JSON is no ComfyUI workflow: it has ${keys.length === 0 ? "nothing in it" : keys.join(", ")}.`,
      forms,
    );
  }
  throw new NoWorkflow(
    `This JSON is no ComfyUI workflow: it is ${Array.isArray(value) ? "a list" : typeof value}.`,
    forms,
  );
}

export function countNodes(recognised: Recognised): number {
  if (recognised.form === "api") return Object.keys(recognised.prompt).length;
  const { workflow } = recognised;
  const inner =
    recognised.form === "compact"
      ? recognised.workflow.subgraphs
      : recognised.workflow.definitions?.subgraphs;
  return workflow.nodes.length + (inner ?? []).reduce((sum, { nodes }) => sum + nodes.length, 0);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NoWorkflow(`This begins like JSON and is none: ${(error as Error).message}.`, forms);
  }
}

function compact(text: string): Recognised {
  try {
    return { form: "compact", workflow: parseCompact(text) };
  } catch (error) {
    if (!(error instanceof CompactSyntaxError)) throw error;
    throw new NoWorkflow(
      `${error.message}.`,
      'Each line is: id type "title" input<sourceId.OUTPUT widget=value.',
    );
  }
}

function isUi(value: Record<string, unknown>): value is UiWorkflow & JsonObject {
  const { nodes, links = [] } = value;
  return (
    Array.isArray(nodes) &&
    Array.isArray(links) &&
    nodes.every(
      (node) => isObject(node) && typeof node.type === "string" && /^(?:string|number)$/.test(typeof node.id),
    ) &&
    links.every((link) => Array.isArray(link) || (isObject(link) && "origin_id" in link))
  );
}

function isApi(value: Record<string, unknown>): value is Record<string, never> & PromptNodes {
  const nodes = Object.values(value);
  return (
    nodes.length > 0 &&
    nodes.every((node) => isObject(node) && typeof node.class_type === "string" && isObject(node.inputs))
  );
}
