/** What keeps a workflow from running, found in what ComfyUI would run and in the installed node definitions. */

import type { InputDefinition, NodeDefinition } from "../../comfy/bridge";
import type { GraphNode, Json, NodeId } from "../../graph/graph";
import { linkedNode, type PromptNode, type PromptNodes, upstreamPart } from "../../graph/prompt";
import { acceptsType } from "../../graph/slotTypes";
import { typeWord } from "../read/references";
import { closest, closestChoices } from "../values/closest";
import { closestWords } from "../values/widgetValue";
import type { Problem } from "./problem";

export interface Installed {
  definitionOf(type: string): NodeDefinition | undefined;
  types(): readonly string[];
  /** The node on the canvas that runs under this id. */
  nodeOf(id: NodeId): GraphNode | undefined;
  /** The node that an input of a canvas node is linked to, in the same graph. */
  sourceOf(id: NodeId, input: string): GraphNode | undefined;
}

export interface Findings {
  /** In what would run. */
  errors: Problem[];
  /** In nodes that lead to no output, which ComfyUI leaves out. */
  warnings: Problem[];
  /** How many nodes would run. */
  running: number;
}

export function findProblems(nodes: PromptNodes, installed: Installed): Findings {
  const outputs = Object.keys(nodes).filter(
    (id) => installed.definitionOf(nodes[id]?.class_type ?? "")?.isOutput,
  );
  const needed = new Set(Object.keys(upstreamPart(nodes, outputs)));
  const problems = [
    ...Object.entries(nodes).flatMap(([id, node]) => nodeProblems(id, node, nodes, installed)),
    ...loops(nodes),
  ];
  const isNeeded = ({ node }: Problem) => node === undefined || needed.has(node) || needed.size === 0;
  return {
    errors: [...(outputs.length === 0 ? [noOutput(installed)] : []), ...problems.filter(isNeeded)],
    warnings: problems.filter((problem) => !isNeeded(problem)),
    running: needed.size,
  };
}

/** Types of inputs that ComfyUI's page adds for its own buttons and players. */
const pageOnly: ReadonlySet<string> = new Set(["IMAGEUPLOAD", "AUDIOUPLOAD", "VIDEOUPLOAD", "AUDIO_UI"]);

function noOutput({ types, definitionOf }: Installed): Problem {
  const outputs = ["SaveImage", "PreviewImage", "SaveVideo", "SaveAudio", "PreviewAny"].filter(
    (type) => types().includes(type) && definitionOf(type)?.isOutput,
  );
  return {
    kind: "no-output",
    found: "No active node shows or saves a result, so nothing would run.",
    ...(outputs.length > 0 && { fix: `Connect the result to one of: ${outputs.join(", ")}.` }),
  };
}

function nodeProblems(id: NodeId, node: PromptNode, nodes: PromptNodes, installed: Installed): Problem[] {
  const type = node.class_type;
  const definition = installed.definitionOf(type);
  if (!definition) return [missingType(id, node, installed)];
  return definition.inputs.flatMap((input) =>
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

function missingType(id: NodeId, { class_type }: PromptNode, installed: Installed): Problem {
  const type = installed.nodeOf(id)?.type ?? class_type;
  const near = closest(type, installed.types(), 5);
  return {
    kind: "missing-type",
    node: id,
    type,
    found: `The node type ${type} is not installed.`,
    fix:
      near.length > 0
        ? `Install it, or replace it; closest installed: ${near.join(", ")}.`
        : "Install it, or replace it by a type that searchInstalledNodes finds.",
  };
}

type InputProblem = Pick<Problem, "kind" | "found" | "fix">;

function inputProblems(
  input: InputDefinition,
  value: Json | undefined,
  nodes: PromptNodes,
  installed: Installed,
  id: NodeId,
): InputProblem[] {
  if (value === undefined || value === null) return input.isOptional ? [] : [missing(input, installed, id)];
  const source = linkedNode(value);
  if (source !== undefined) return linkProblems(input, source, value, nodes, installed);
  if (input.choices) return choiceProblems(input.name, input.choices.map(String), value);
  if (input.widget === "integer" || input.widget === "number") return numberProblems(input, value);
  return [];
}

function missing(input: InputDefinition, installed: Installed, id: NodeId): InputProblem {
  const source = installed.sourceOf(id, input.name);
  if (source && source.mode !== "active") {
    const path = `${id.slice(0, id.lastIndexOf(":") + 1)}${source.id}`;
    return {
      kind: "nothing-handed-on",
      found: `Its source, node ${path} ${typeWord(source)}, is ${source.mode} and hands nothing of type ${input.type} on.`,
      fix: `Make node ${path} active, or connect another source.`,
    };
  }
  if (!input.widget)
    return {
      kind: "missing-input",
      found: `The required input ${input.name} (${input.type}) is not connected.`,
      fix: `Connect an output of type ${input.type}.`,
    };
  return {
    kind: "missing-input",
    found: `${input.name} has no value.`,
    fix: input.choices ? choiceFix(input.choices.map(String), true) : "Set its value.",
  };
}

function linkProblems(
  input: InputDefinition,
  source: NodeId,
  value: Json,
  nodes: PromptNodes,
  { definitionOf }: Installed,
): InputProblem[] {
  const slot = Array.isArray(value) ? Number(value[1]) : 0;
  const node = nodes[source];
  if (!node)
    return [
      {
        kind: "missing-input",
        found: `Its source, node ${source}, is not in the workflow.`,
        fix: `Connect an output of type ${input.type}.`,
      },
    ];
  const outputs = definitionOf(node.class_type)?.outputs;
  if (!outputs) return [];
  const output = outputs[slot];
  if (!output)
    return [
      {
        kind: "wrong-type",
        found: `It is linked to output ${slot} of node ${source} ${node.class_type}, which has only ${outputs.length}.`,
        fix: "Connect it anew.",
      },
    ];
  if (acceptsType(input.type, output.type)) return [];
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

/** Files picked by upload may lie in folders that the list does not show; ComfyUI checks those itself. */
function choiceProblems(name: string, choices: readonly string[], value: Json): InputProblem[] {
  if (typeof value === "object" || choices.includes(String(value))) return [];
  if (choices.length === 0)
    return [
      {
        kind: "wrong-choice",
        found: `${name} has no value that is installed.`,
        fix: choiceFix([], true),
      },
    ];
  const text = String(value);
  if (/ \[(?:input|output|temp)\]$/.test(text)) return [];
  const near = closestChoices(text.split(/[\\/]/).at(-1) ?? text, choices);
  const isFile = /\.[a-z0-9]{2,12}$/i.test(text);
  return [
    {
      kind: "wrong-choice",
      found: isFile
        ? `The file ${JSON.stringify(text)} is not installed.`
        : `${JSON.stringify(text)} is not one of the ${choices.length} choices of ${name}.`,
      fix: near.length > 0 ? closestWords(choices, text, near) : choiceFix(choices, isFile),
    },
  ];
}

function choiceFix(choices: readonly string[], isFile: boolean): string {
  if (choices.length > 0)
    return `Choices: ${choices.slice(0, 6).join(", ")}${choices.length > 6 ? ` and ${choices.length - 6} more` : ""}.`;
  return isFile
    ? "No file of this kind is installed; the user has to add it."
    : "There is nothing to choose from.";
}

function numberProblems({ name, widget, min, max }: InputDefinition, value: Json): InputProblem[] {
  const number = typeof value === "boolean" ? Number.NaN : Number(value);
  const range = `${widget} ${min ?? ""}..${max ?? ""}`;
  const isWhole = widget !== "integer" || Number.isInteger(number);
  if (Number.isFinite(number) && isWhole && number >= (min ?? -Infinity) && number <= (max ?? Infinity))
    return [];
  return [
    {
      kind: "wrong-value",
      found: `${JSON.stringify(value)} does not fit ${name}, ${range}.`,
      fix: `Set a value in ${range}.`,
    },
  ];
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
