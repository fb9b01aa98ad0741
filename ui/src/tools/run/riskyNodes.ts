/**
 * Nodes that the user is asked about before they run, in every mode.
 *
 * ComfyUI does not say what a node may do, so its names decide. A node counts
 * - as running code, when its type, title or category has a word such as Python, shell, eval or script, or when it has
 *   a text input named for code or a command;
 * - as writing outside the output folder, when it is an output node and one of its texts is an absolute path, a path
 *   with "..", or an address, or comes from another node under a name such as path or folder;
 * - as sending, when its name has a word such as upload or webhook, and as deleting, when it is an output node and its
 *   name has a word such as delete;
 * - as paid, when its category is that of ComfyUI's API nodes.
 */

import type { Comfy, NodeDefinition } from "../../comfy/bridge";
import type { Json, NodeId } from "../../graph/graph";
import { linkedNode, type PromptNode, type PromptNodes, promptTitle } from "../../graph/prompt";

export type Risk = "runs code" | "writes outside the output folder" | "deletes or sends" | "is paid";

export interface RiskyNode {
  node: NodeId;
  title: string;
  risk: Risk;
  price: string | undefined;
}

const codeWords = new Set([
  ...["python", "javascript", "lua", "bash", "shell", "powershell", "cmd", "terminal", "subprocess"],
  ...["eval", "exec", "execute", "executor", "script", "scripts", "interpreter", "repl"],
]);
const sendWords = new Set([
  ...[
    "upload",
    "uploader",
    "webhook",
    "http",
    "https",
    "ftp",
    "sftp",
    "smtp",
    "email",
    "telegram",
    "discord",
  ],
]);
const deleteWords = new Set(["delete", "remove", "unlink"]);
const codeInputs = /^(?:(?:python|java)?_?(?:code|script)|command|cmd|shell|source_code|function_body)$/i;
const pathInputs =
  /(?:^|_)(?:path|folder|directory|dir|file_?path|save_?to|output_?(?:path|folder|dir(?:ectory)?))$/i;
const outsidePath = /^(?:[/\\~]|[a-z]:[/\\])|(?:^|[/\\])\.\.(?:[/\\]|$)|^[a-z][a-z0-9+.-]+:\/\//i;

export function riskyNodes(comfy: Comfy, nodes: PromptNodes): RiskyNode[] {
  return Object.entries(nodes).flatMap(([id, node]) => {
    const risk = riskOf(node, comfy.nodeDefinition(node.class_type));
    const place = id.split(":");
    const price = risk === "is paid" ? comfy.node(place.pop() ?? "", place)?.price : undefined;
    return risk === undefined ? [] : [{ node: id, title: promptTitle(nodes, id), risk, price }];
  });
}

export function riskWords({ node, title, risk, price }: RiskyNode): string {
  return `Node ${node} “${title}” ${risk}${price ? `: ${price}` : ""}.`;
}

function riskOf(
  { class_type, inputs }: PromptNode,
  definition: NodeDefinition | undefined,
): Risk | undefined {
  if (/^api node\b/i.test(definition?.category ?? "")) return "is paid";
  const words = [class_type, definition?.title ?? "", definition?.category ?? ""].flatMap(wordsOf);
  const texts = Object.entries(inputs).filter(([name, value]) => isText(definition, name, value));
  if (words.some((word) => codeWords.has(word)) || texts.some(([name]) => codeInputs.test(name)))
    return "runs code";
  const names = [class_type, definition?.title ?? ""].flatMap(wordsOf);
  if (names.some((word) => sendWords.has(word))) return "deletes or sends";
  if (definition?.isOutput && names.some((word) => deleteWords.has(word))) return "deletes or sends";
  const leavesOutput = ([name, value]: [string, Json]) =>
    typeof value === "string" ? outsidePath.test(value.trim()) : pathInputs.test(name);
  if (definition?.isOutput && texts.some(leavesOutput)) return "writes outside the output folder";
  return undefined;
}

/** A written text, or a link that brings one. */
function isText(definition: NodeDefinition | undefined, name: string, value: Json): boolean {
  if (typeof value === "string") return true;
  if (linkedNode(value) === undefined) return false;
  return definition?.inputs.find((input) => input.name === name)?.widget === "text";
}

/** "RunPythonScript", "run_python" and "Run python" alike. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
