/** An input that nothing feeds: by path, what could, or which node may be missing before it. */

import type { InputDefinition, NodeDefinition } from "../../comfy/bridge";
import { findNode, type Graph, type NodeId, subgraphInput } from "../../graph/graph";
import { closesLoop } from "../../graph/loops";
import { acceptsType } from "../../graph/slotTypes";
import { few } from "../../shared/few";
import { typeWord } from "../read/references";
import { type CanvasInput, decidingInput, type Installed, path, sourceOf } from "./canvas";
import type { InputProblem } from "./problem";
import { choiceFix, defaultWords } from "./valueProblems";

const shown = 3;

export function missingInput(input: InputDefinition, installed: Installed, id: NodeId): InputProblem {
  const deciding = decidingInput(installed, id, input.name);
  const source = deciding && sourceOf(deciding);
  if (source && source.mode !== "active") {
    const named = path(deciding.place, source.id);
    return {
      kind: "nothing-handed-on",
      found: `Its source, node ${named} ${typeWord(source)}, is ${source.mode} and hands nothing of type ${input.type} on.`,
      fix: `Make node ${named} active, or connect another source.`,
    };
  }
  if (!input.widget)
    return {
      kind: "missing-input",
      found: `The required input ${input.name} (${input.type}) is not connected.`,
      fix: sourceFix(input.type, installed, deciding),
    };
  return {
    kind: "missing-input",
    found: `${input.name} has no value.`,
    fix: input.choices ? choiceFix(input.choices.map(String), true) : `Set its value${defaultWords(input)}.`,
  };
}

/** What nothing uses comes first; what feeds others too may be the wrong one where a node is missing. */
export function sourceFix(type: string, installed: Installed, deciding: CanvasInput | undefined): string {
  const plain = `Connect an output of type ${type}.`;
  if (!deciding) return plain;
  const outputs = outputsFor(type, installed, deciding);
  const named = ({ node, name }: Output) => `${path(deciding.place, node)}.${name}`;
  const target = `${path(deciding.place, deciding.node.id)}.${deciding.name}`;
  const unused = outputs.filter(({ feeds }) => feeds.length === 0);
  if (unused.length > 0)
    return `Connect ${few(unused.map(named), shown, " or ")} to ${target}; nothing uses ${unused.length === 1 ? "it" : "them"} yet.`;
  const asleep = inactiveFor(type, deciding);
  if (asleep.length > 0)
    return `No unused output gives ${type}, but ${few(asleep, shown)} would: make it active and connect it to ${target}.`;
  const missing = typesBetween(type, installed, deciding, outputs);
  return [
    outputs.length === 0 ? `Nothing here gives ${type}` : `No unused output gives ${type}`,
    `: a node may be missing before ${target}`,
    missing.length > 0 ? `, such as ${few(missing, shown)}.` : ".",
    ...(outputs.length > 0
      ? [
          ` In use: ${few(
            outputs.map((each) => `${named(each)} (feeds ${few(each.feeds, shown)})`),
            shown,
          )}.`,
        ]
      : []),
  ].join("");
}

interface Output {
  node: NodeId;
  nodeType: string;
  name: string;
  type: string;
  feeds: string[];
}

/** Muted and bypassed nodes that would give such a thing. */
function inactiveFor(type: string, { graph, node, place }: CanvasInput): string[] {
  return graph.nodes
    .filter(
      ({ mode, id, outputs }) =>
        mode !== "active" &&
        type !== "*" &&
        outputs.some((output) => output.type !== "*" && acceptsType(type, output.type)) &&
        !closesLoop(graph, id, node.id),
    )
    .map((each) => `${path(place, each.id)} ${typeWord(each)}, which is ${each.mode},`);
}

function outputsIn(graph: Graph, place: readonly NodeId[], { definitionOf }: Installed): Output[] {
  return graph.nodes
    .filter(({ mode }) => mode === "active")
    .flatMap((node) =>
      node.outputs
        .filter(({ name, linkedTo }) => linkedTo.length > 0 || !handsOn(definitionOf(node.type), name))
        .map(({ name, type, linkedTo }) => ({
          node: node.id,
          nodeType: node.type,
          name,
          type,
          feeds: linkedTo.map((link) =>
            findNode(graph, link.node) ? `${path(place, link.node)}.${link.name}` : `output.${link.name}`,
          ),
        })),
    );
}

/** Whether an output node gives there what it is given to show or save. */
function handsOn(definition: NodeDefinition | undefined, output: string): boolean {
  return (
    definition?.isOutput === true &&
    definition.inputs.some(({ name, type }) => name === output || type === "*")
  );
}

function outputsFor(type: string, installed: Installed, { graph, node, place }: CanvasInput): Output[] {
  const before = outputsIn(graph, place, installed).filter(
    (each) => each.type !== "*" && acceptsType(type, each.type) && !closesLoop(graph, each.node, node.id),
  );
  const ofSubgraph = (graph.scope.kind === "subgraph" && graph.scope.inputs) || [];
  const given = ofSubgraph
    .filter((slot) => acceptsType(type, slot.type))
    .map((slot) => ({
      node: subgraphInput,
      nodeType: subgraphInput,
      name: slot.name,
      type: slot.type,
      feeds: ["inside"],
    }));
  return type === "*" ? [] : [...before, ...given];
}

/** First what takes a loose result and gives what is open, then what feeds such inputs elsewhere. */
function typesBetween(
  type: string,
  installed: Installed,
  { graph, node, place }: CanvasInput,
  outputs: readonly Output[],
): string[] {
  const { types, definitionOf } = installed;
  const all = outputsIn(graph, place, installed).filter((each) => !closesLoop(graph, each.node, node.id));
  const givesTo = (wanted: string, among: readonly Output[]) =>
    among.find((each) => acceptsType(wanted, each.type));
  const loose = all.filter(({ feeds, type: given }) => feeds.length === 0 && given !== "*");
  const taking = types()
    .flatMap((name) => {
      const definition = definitionOf(name);
      const gives = ({ name: output, type: given }: NodeDefinition["outputs"][number]) =>
        given !== "*" && acceptsType(type, given) && !handsOn(definition, output);
      if (!definition?.outputs.some(gives)) return [];
      const open = definition.inputs.filter(({ isOptional, widget }) => !isOptional && !widget);
      const source = open
        .map((each) => (each.type === "*" ? undefined : givesTo(each.type, loose)))
        .find(Boolean);
      if (!source || !open.every((each) => givesTo(each.type, all))) return [];
      return [
        { words: `${name} (takes ${path(place, source.node)}.${source.name})`, needs: open.length, name },
      ];
    })
    .sort((a, b) => a.needs - b.needs || a.name.length - b.name.length)
    .map(({ words }) => words);
  const elsewhere = outputs.map(({ nodeType }) => nodeType).filter((name) => definitionOf(name));
  return [...new Set([...taking.slice(0, shown - 1), ...elsewhere, ...taking])];
}
