/** What keeps a workflow from running, found in what ComfyUI would run and in the installed node definitions. */

import type { InputDefinition, NodeDefinition } from "../../comfy/bridge";
import { inputsInForce } from "../../comfy/inputsInForce";
import type { Json, NodeId } from "../../graph/graph";
import { linkedNode, type PromptNode, type PromptNodes, upstreamPart } from "../../graph/prompt";
import { acceptsType } from "../../graph/slotTypes";
import { decidingInput, type Installed, isInsideInactive, nodeAt } from "./canvas";
import { missingInput, sourceFix } from "./missingInput";
import type { InputProblem, Problem } from "./problem";
import { replacedType } from "./replacedType";
import { bypassedOnTheWay, inactiveOutputs, keepingNothing, looseResults } from "./sideNotes";
import { standIns } from "./standIns";
import { choiceProblems, numberProblems } from "./valueProblems";

export interface Findings {
  /** In what would run. */
  errors: Problem[];
  /** In nodes that lead to no output, which ComfyUI leaves out. */
  warnings: Problem[];
  /** How many nodes would run. */
  running: number;
  /** Nodes that lead to no output, by id and type, and what comes out of them. */
  idle: string[];
  loose: string[];
  bypassed: string[];
  /** What makes results gray or blurred: samplers that keep part of an empty latent. */
  keepingNothing: string[];
  /** Muted and bypassed nodes that would show or save a result. */
  inactiveOutputs: string[];
  /** There are results, but no node keeps one. */
  onlyPreviews: boolean;
}

/** Who hands something on without a wire leads to an output by that. */
export function findProblems(
  nodes: PromptNodes,
  installed: Installed,
  handingOn: ReadonlySet<NodeId> = new Set(),
): Findings {
  const outputs = outputsOf(nodes, installed);
  const needed = new Set(Object.keys(upstreamPart(nodes, outputs)));
  const problems = [
    ...Object.entries(nodes).flatMap(([id, node]) => nodeProblems(id, node, nodes, installed)),
    ...loops(nodes),
  ];
  const isNeeded = ({ node }: Problem) => node === undefined || needed.has(node) || needed.size === 0;
  const idle = Object.keys(nodes).filter(
    (id) => !needed.has(id) && !handingOn.has(id) && !isInsideInactive(installed, id),
  );
  const loose = looseResults(nodes, idle, installed);
  const asleep = inactiveOutputs(installed);
  return {
    errors: [
      ...(outputs.length === 0 ? [noOutput(installed, loose, asleep)] : []),
      ...problems.filter(isNeeded),
    ],
    warnings: problems.filter(
      (problem) => !isNeeded(problem) && !isInsideInactive(installed, problem.node ?? ""),
    ),
    running: needed.size,
    idle: idle.map((id) => `${id} ${typeOf(id, nodes[id], installed)}`),
    loose,
    bypassed: bypassedOnTheWay(nodes, needed, installed),
    keepingNothing: keepingNothing(nodes, needed),
    inactiveOutputs: asleep,
    onlyPreviews: outputs.length > 0 && outputs.every((id) => nodes[id]?.class_type.startsWith("Preview")),
  };
}

/** The nodes that lead to an output. */
export function runningPart(nodes: PromptNodes, installed: Installed): PromptNodes {
  return upstreamPart(nodes, outputsOf(nodes, installed));
}

function outputsOf(nodes: PromptNodes, { definitionOf }: Installed): NodeId[] {
  return Object.keys(nodes).filter((id) => definitionOf(nodes[id]?.class_type ?? "")?.isOutput);
}

/** Types of inputs that ComfyUI's page adds for its own buttons and players. */
const pageOnly: ReadonlySet<string> = new Set(["IMAGEUPLOAD", "AUDIOUPLOAD", "VIDEOUPLOAD", "AUDIO_UI"]);

function noOutput(
  { types, definitionOf }: Installed,
  loose: readonly string[],
  asleep: readonly string[],
): Problem {
  const outputs = ["SaveImage", "PreviewImage", "SaveVideo", "SaveAudio", "PreviewAny"].filter(
    (type) => types().includes(type) && definitionOf(type)?.isOutput,
  );
  const found = "No active node shows or saves a result, so nothing would run.";
  const result = loose.slice(0, 3).join(" or ") || "the result";
  if (asleep.length > 0)
    return { kind: "no-output", found, fix: `Make one of these active: ${asleep.slice(0, 3).join(", ")}.` };
  return {
    kind: "no-output",
    found,
    ...(outputs.length > 0 && { fix: `Connect ${result} to one of: ${outputs.join(", ")}.` }),
  };
}

function nodeProblems(id: NodeId, node: PromptNode, nodes: PromptNodes, installed: Installed): Problem[] {
  const type = node.class_type;
  const definition = installed.definitionOf(type);
  if (!definition) return [missingType(id, node, installed)];
  return inputsInForce(definition, (name) => node.inputs[name]).flatMap((input) =>
    pageOnly.has(input.type)
      ? []
      : inputProblems(input, node.inputs[input.name], nodes, installed, id).map((problem) => ({
          node: id,
          type,
          input: input.name,
          ...problem,
        })),
  );
}

/** What a page puts into a prompt for a node that is not installed may lack the type. */
function typeOf(id: NodeId, node: PromptNode | undefined, installed: Installed): string {
  return nodeAt(installed, id)?.type ?? node?.class_type ?? "";
}

function missingType(id: NodeId, node: PromptNode, installed: Installed): Problem {
  const type = typeOf(id, node, installed);
  if (installed.types().includes(type))
    return {
      kind: "missing-type",
      node: id,
      type,
      found: `The type ${type} is one of the page alone, which ComfyUI cannot run.`,
      fix: "Remove it, or replace it by a type that searchInstalledNodes finds.",
    };
  const by = installed.replacementOf(type);
  if (by) return replacedType(id, type, by);
  const near = standIns(id, type, installed);
  return {
    kind: "missing-type",
    node: id,
    type,
    found: `The node type ${type} is not installed.`,
    fix:
      near.length > 0
        ? `findMissing tells what brings it, and installs it where it can; or replace it; closest installed: ${near.join(", ")}.`
        : "findMissing tells what brings it, and installs it where it can; or replace it by a type that searchInstalledNodes finds.",
  };
}

function inputProblems(
  input: InputDefinition,
  value: Json | undefined,
  nodes: PromptNodes,
  installed: Installed,
  id: NodeId,
): InputProblem[] {
  if (value === undefined || value === null)
    return input.isOptional ? [] : [missingInput(input, installed, id)];
  const source = linkedNode(value);
  if (source !== undefined) return linkProblems(input, source, value, nodes, installed, id);
  if (input.choices?.length === 0 && isOwnChoice(installed, id, input.name, value)) return [];
  if (input.choices) return choiceProblems(input.name, input.choices, value);
  if (input.widget === "integer" || input.widget === "number") return numberProblems(input, value);
  return [];
}

/** A type that declares no choices may make them on the page, and judge them itself. */
function isOwnChoice(installed: Installed, id: NodeId, name: string, value: Json): boolean {
  const widget = nodeAt(installed, id)?.widgets.find((each) => each.name === name);
  return widget?.choices?.some((choice) => choice === value) ?? false;
}

function linkProblems(
  input: InputDefinition,
  source: NodeId,
  value: Json,
  nodes: PromptNodes,
  installed: Installed,
  id: NodeId,
): InputProblem[] {
  const slot = Array.isArray(value) ? Number(value[1]) : 0;
  const node = nodes[source];
  if (!node)
    return [
      {
        kind: "missing-input",
        found: `Its source, node ${source}, is not in the workflow.`,
        fix: sourceFix(input.type, installed, decidingInput(installed, id, input.name)),
      },
    ];
  const outputs = installed.definitionOf(node.class_type)?.outputs;
  if (!outputs) return [];
  const output = outputs[slot];
  if (!output && hasUnknownNumber(outputs)) return [];
  if (!output)
    return [
      {
        kind: "wrong-type",
        found: `It is linked to output ${slot} of node ${source} ${node.class_type}, which has only ${outputs.length}.`,
        fix: "Connect it anew.",
      },
    ];
  // ComfyUI's server leaves matched types to its page.
  if (input.match || output.match || acceptsType(input.type, output.type)) return [];
  const fitting = outputs.filter(({ type }) => acceptsType(input.type, type)).map(({ name }) => name);
  return [
    {
      kind: "wrong-type",
      found: `It takes ${input.type}, but node ${source} ${node.class_type} gives ${output.type} there.`,
      fix:
        fitting.length > 0
          ? `Connect output ${fitting.join(" or ")} of node ${source} instead.`
          : `Connect an output of type ${input.type}, or put a node between that converts.`,
    },
  ];
}

/** Types whose outputs follow their inputs declare none, or one of any type for all. */
function hasUnknownNumber(outputs: NodeDefinition["outputs"]): boolean {
  return outputs.length === 0 || outputs.at(-1)?.type === "*";
}

/** Each circle of links once, at the first of its nodes that is met. */
function loops(nodes: PromptNodes): Problem[] {
  const done = new Set<NodeId>();
  const open: NodeId[] = [];
  const found: Problem[] = [];
  const visit = (id: NodeId): void => {
    const at = open.indexOf(id);
    if (at >= 0) {
      const circle = [...open.slice(at), id].reverse();
      found.push({
        kind: "loop",
        node: id,
        ...(nodes[id] && { type: nodes[id].class_type }),
        found: `The links form a loop: ${circle.join(" to ")}.`,
        fix: "Disconnect one of these links.",
      });
      return;
    }
    if (done.has(id)) return;
    open.push(id);
    for (const value of Object.values(nodes[id]?.inputs ?? {})) {
      const source = linkedNode(value);
      if (source !== undefined && nodes[source]) visit(source);
    }
    open.pop();
    done.add(id);
  };
  for (const id of Object.keys(nodes)) visit(id);
  return found;
}
