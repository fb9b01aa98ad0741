/** What a workflow asks for and this ComfyUI does not have: node types, and files or other choices of widgets. */

import type { Comfy, TypeReplacement } from "../../comfy/bridge";
import { choicesNamed, possibleInputs } from "../../comfy/inputsInForce";
import { isMissingFrom } from "../../graph/fileChoices";
import type { Json } from "../../graph/graph";
import { shapeOfSaved } from "../../graph/nodeShape";
import {
  inputEdgeId,
  linkObject,
  type UiGraph,
  type UiNode,
  type UiSubgraph,
  type UiWorkflow,
} from "../../graph/uiWorkflow";
import { closestChoices, closestTypes } from "../values/closest";

export interface Missing {
  node: string;
  /** In which it lies, if in any. */
  subgraph?: UiSubgraph;
  /** If it is about one. */
  widget?: string;
  wanted: string;
  type: string;
  isType: boolean;
  /** Of a type, the installed one that the server has in its place. */
  replacedBy?: TypeReplacement;
  /** What is installed and most like it, best first. */
  instead: string[];
  /** Of a widget, what can be chosen. */
  choices: readonly string[];
}

function missingOf(comfy: Comfy, workflow: UiWorkflow): Missing[] {
  const definitions = workflow.definitions?.subgraphs ?? [];
  const known = new Set(definitions.map(({ id }) => id));
  const types = comfy.nodeTypes();
  const choices = choicesByType(comfy);
  const found: Missing[] = [];
  const isDeprecated = (type: string) => comfy.nodeDefinition(type)?.isDeprecated === true;
  const replacedBy = (type: string) => {
    const replacement = comfy.replacementOf(type);
    return replacement && { replacedBy: replacement };
  };
  const look = (graph: UiGraph, subgraph?: UiSubgraph) => {
    const isPromoted = promotedIn(graph);
    for (const node of graph.nodes) {
      const where = { node: String(node.id), ...(subgraph && { subgraph }) };
      if (known.has(node.type)) continue;
      if (comfy.whole.shape(node.type))
        found.push(...missingChoices(comfy, node, { where, choices: choices(node.type), isPromoted }));
      else if (!isGroupNode(node.type))
        found.push({
          ...where,
          wanted: node.type,
          type: node.type,
          isType: true,
          ...replacedBy(node.type),
          instead: closestTypes(node.type, types, isDeprecated),
          choices: [],
        });
    }
  };
  look(workflow);
  for (const definition of definitions) look(definition, definition);
  return found;
}

/** The same, with files among the choices that came to the server since the page was loaded. */
export async function missingNow(comfy: Comfy, workflow: UiWorkflow): Promise<Missing[]> {
  await comfy.learnReplacements();
  const missing = missingOf(comfy, workflow);
  const types = missing.flatMap(({ isType, type }) => (isType ? [] : [type]));
  return types.length > 0 && (await comfy.refreshChoices(types)) ? missingOf(comfy, workflow) : missing;
}

/** Old workflows bring such types along. */
function isGroupNode(type: string): boolean {
  return /^workflow[>/]/.test(type);
}

type ChoicesOfWidgets = ReadonlyMap<string, readonly Json[] | undefined>;

function choicesByType(comfy: Comfy): (type: string) => ChoicesOfWidgets {
  const known = new Map<string, ChoicesOfWidgets>();
  return (type) => {
    const definition = comfy.nodeDefinition(type) ?? { inputs: [] };
    const inputs =
      known.get(type) ??
      new Map(possibleInputs(definition).map(({ name }) => [name, choicesNamed(definition, name)]));
    known.set(type, inputs);
    return inputs;
  };
}

/**
 * Whether a link only leads to the edge of a subgraph, whose nodes show its widget as their own: the value that it had
 * inside is the one that they begin with, however they keep theirs.
 */
function promotedIn({ links = [] }: UiGraph): (link: number | string) => boolean {
  const fromEdge = new Set(
    links
      .map(linkObject)
      .filter(({ origin_id }) => String(origin_id) === inputEdgeId)
      .map(({ id }) => String(id)),
  );
  return (link) => fromEdge.has(String(link));
}

interface Place {
  where: Pick<Missing, "node" | "subgraph">;
  choices: ChoicesOfWidgets;
  isPromoted(link: number | string): boolean;
}

/** Only of nodes that take part in a run. */
function missingChoices(comfy: Comfy, node: UiNode, { where, choices, isPromoted }: Place): Missing[] {
  const widgets = shapeOfSaved(comfy.whole.shape, node)?.widgets ?? [];
  const held = Object(node.widgets_values) as Record<string | number, Json>;
  const isByName = !Array.isArray(node.widgets_values);
  if ((node.mode ?? 0) !== 0 || (!isByName && widgets.length !== Object.keys(held).length)) return [];
  const linked = new Set(
    (node.inputs ?? [])
      .filter(({ link }) => link !== null && link !== undefined && !isPromoted(link))
      .map(({ name }) => name),
  );
  return widgets.flatMap(({ name }, index) => {
    const value = held[isByName ? name : index];
    const all = choices.get(name);
    if (!all || !isMissingFrom(all, value) || linked.has(name) || value === null || value === undefined)
      return [];
    const [wanted, can] = [String(value), all.map(String)];
    return [
      {
        ...where,
        widget: name,
        wanted,
        type: node.type,
        isType: false,
        instead: alike(wanted, can),
        choices: can,
      },
    ];
  });
}

/** Files are compared by name alone first: the same file often lies in another folder. */
function alike(wanted: string, choices: readonly string[]): string[] {
  const baseName = (path: string) => path.split(/[\\/]/).at(-1)?.toLowerCase() ?? "";
  const same = choices.filter((choice) => baseName(choice) === baseName(wanted));
  return [...new Set([...same, ...closestChoices(wanted, choices)])].slice(0, 3);
}
