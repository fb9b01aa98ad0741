/** A batch of edits, tried on copies of the graphs: either every step of it, or why it cannot be. */

import type { Comfy } from "../../comfy/bridge";
import {
  findNode,
  type Graph,
  type GraphGroup,
  type GraphNode,
  type Point,
  type Rectangle,
} from "../../graph/graph";
import { placeBeside } from "../../graph/placeBeside";
import { placeGrouped } from "../../graph/placeGrouped";
import type { UnwiredLink } from "../../graph/unwired";
import type { ToolError } from "../tool";
import { type PutAside, settleAsked } from "./askedPlaces";
import { Draft } from "./draft";
import type { DraftGraph, Located } from "./draftGraphs";
import { emptiedFrames } from "./emptiedGroups";
import { faultOf } from "./faults";
import { linkedLater } from "./linkedLater";
import type { Edit } from "./operation";
import { isAsPlaced } from "./ownNodes";
import { isOutOfPlace, placesTaken } from "./placesTaken";
import { identityOf, type Step } from "./step";

export interface BatchPlan {
  draft: Draft;
  steps: readonly Step[];
  refusals: readonly RefusedEdit[];
  /** What one might expect to change, and is as it was once all steps are done. */
  leaves: readonly string[];
  /** What makes room for new nodes, and what gets its place only with its links. */
  moved: readonly MovedNode[];
  /** Those of them that get their places only now. */
  later: ReadonlySet<GraphNode>;
  /** What lay on others where it was asked to be, and stands near there. */
  aside: readonly PutAside[];
}

export interface MovedNode extends Located {
  by: Point;
}

/** An edit that does not fit, and why. */
export interface RefusedEdit {
  index: number;
  operation: string;
  error: ToolError;
}

export function planBatch(
  comfy: Comfy,
  edits: readonly Edit[],
  feeds: readonly UnwiredLink[] = [],
  turn?: string,
): BatchPlan {
  const draft = new Draft(comfy, feeds);
  const steps: Step[] = [];
  const planned = new Map<Step, Pick<RefusedEdit, "index" | "operation">>();
  const unfit = edits.flatMap(({ operation, as, plan }, index): RefusedEdit[] => {
    try {
      for (const step of plan(draft)) {
        steps.push(step);
        planned.set(step, { index, operation });
      }
      return [];
    } catch (error) {
      const fault = faultOf(error);
      if (as !== undefined) draft.failed(as);
      return [{ index, operation, error: fault }];
    }
  });
  const refusals = [...unfit, ...unfitAtEnd(planned)].sort((one, other) => one.index - other.index);
  const { asked: places, placed, unplaced, beside } = draft;
  const later = openAgain(draft, turn);
  const open = [...beside.keys()].map((node) => [node, undefined] as const);
  const asked = settleAsked({ asked: places, placed, unplaced: new Map([...unplaced, ...open]) });
  const moved = settle(draft, later);
  const besides = settleBeside(draft);
  const carried = [...asked.frames].flatMap(([at, frames]) => [...frames].map(frameStep(at)));
  // Before the frames that the batch draws, which keep clear of these, and while all are there.
  steps.unshift(...carried, ...moved.frames);
  steps.push(...moved.steps, ...besides, ...emptiedFrames(draft));
  readAround(draft, steps);
  const leaves = refusals.length > 0 ? [] : steps.flatMap((step) => step.leaves?.() ?? []);
  return { draft, steps, refusals, leaves, moved: moved.nodes, later, aside: asked.aside };
}

function unfitAtEnd(planned: ReadonlyMap<Step, Pick<RefusedEdit, "index" | "operation">>): RefusedEdit[] {
  return [...planned].flatMap(([step, edit]) => {
    const error = step.faultAtEnd?.();
    return error ? [{ ...edit, error }] : [];
  });
}

/** Nodes that this turn has added before, and that this batch links. They have no place then. */
function openAgain(draft: Draft, turn: string | undefined): ReadonlySet<GraphNode> {
  const { comfy, graphs, unplaced } = draft;
  const again = [...graphs.values()].flatMap((at) => {
    const free = at.graph.nodes.filter(
      (node) => !draft.isPlaceGiven(node) && isAsPlaced(comfy, at, node, turn),
    );
    const added = at.graph.nodes.filter((node) => unplaced.has(node) && !unplaced.get(node));
    return free.length > 0 ? linkedLater(at, free, added) : [];
  });
  for (const node of again) unplaced.set(node, undefined);
  return new Set(again);
}

/**
 * Gives the new nodes, and those that are placed `later`, their places, once all links are known, and moves what makes
 * room for them.
 */
function settle(
  draft: Draft,
  later: ReadonlySet<GraphNode>,
): { steps: Step[]; frames: Step[]; nodes: MovedNode[] } {
  const { graphs, unplaced, removed, placed } = draft;
  if (unplaced.size === 0) return { steps: [], frames: [], nodes: [] };
  for (const at of graphs.values())
    for (const node of at.graph.nodes) {
      const box = unplaced.get(node);
      if (box && isOutOfPlace({ at, node }, box, unplaced)) unplaced.set(node, undefined);
    }
  for (const [node, box] of placesTaken(removed, unplaced)) unplaced.set(node, box);
  const settled = [...graphs.values()].map((at) => {
    const added = at.graph.nodes.filter((node) => unplaced.has(node));
    if (added.length === 0) return { steps: [], frames: [], nodes: [] };
    const boxes = new Map(added.map((node) => [node.id, unplaced.get(node)]));
    const held = new Set(at.graph.nodes.flatMap((node) => (placed.has(node) ? [node.id] : [])));
    const graph = withoutThese(at.graph, draft.beside);
    const { positions, moved: places, groups } = placeGrouped(graph, boxes, held);
    for (const node of added) if (!later.has(node)) node.position = positions.get(node.id) ?? node.position;
    const moved = at.graph.nodes.flatMap((node) => {
      const position = (later.has(node) ? positions : places).get(node.id);
      if (!position) return [];
      const by = { x: Math.round(position.x - node.position.x), y: Math.round(position.y - node.position.y) };
      return by.x === 0 && by.y === 0 ? [] : [{ at, node, position, by }];
    });
    for (const { node, position } of moved) node.position = position;
    return { steps: moved.map(movingStep), frames: [...groups].map(frameStep(at)), nodes: moved };
  });
  return {
    steps: settled.flatMap(({ steps }) => steps),
    frames: settled.flatMap(({ frames }) => frames),
    nodes: settled.flatMap(({ nodes }) => nodes),
  };
}

/**
 * By where nodes and frames stand now; what is beside another of these stands there after it. Frames that the batch draws
 * may yet move their nodes: what is beside them, and in none of them, is placed again behind these.
 */
function settleBeside(draft: Draft): Step[] {
  const open = new Map(draft.beside);
  const steps: Step[] = [];
  for (const [node, host] of draft.beside) {
    const at = [...draft.graphs.values()].find(({ graph }) => graph.nodes.includes(node));
    if (!at) continue;
    const there = "group" in host ? host.group : (draft.holderOf(at, host.node) ?? host.node);
    node.position = placeBeside(withoutThese(at.graph, open), there, node.size);
    const drawn = at.graph.groups.filter((group) => !group.bounds);
    if (drawn.length > 0 && !drawn.some((group) => group.nodes.includes(node.id)))
      steps.push(besideStep({ at, node }, there, [...open.keys()]));
    open.delete(node);
  }
  return steps;
}

function besideStep({ at, node }: Located, host: GraphNode | GraphGroup, open: readonly GraphNode[]): Step {
  const index = (at.graph.groups as (GraphNode | GraphGroup)[]).indexOf(host);
  return {
    at,
    touches: [],
    isLast: true,
    apply(editor, live) {
      const graph = live.graph();
      const ids = open.map(({ id }) => live.ids.of(id));
      const nodes = graph.nodes.filter(({ id }) => !ids.includes(id));
      const there = "id" in host ? live.node(host.id) : graph.groups[index];
      if (there) editor.moveNode(live.ids.of(node.id), placeBeside({ ...graph, nodes }, there, node.size));
    },
  };
}

function withoutThese(graph: Graph, those: ReadonlyMap<GraphNode, unknown>): Graph {
  return those.size === 0 ? graph : { ...graph, nodes: graph.nodes.filter((node) => !those.has(node)) };
}

function movingStep({ at, node, position }: Located & { position: Point }): Step {
  return {
    at,
    touches: [identityOf(at, node.id)],
    apply: (editor, { ids }) => editor.moveNode(ids.of(node.id), position),
  };
}

/** To be done while no frame has been taken away. */
const frameStep =
  (at: DraftGraph) =>
  ([index, bounds]: [number, Rectangle]): Step => {
    const group = at.graph.groups[index];
    return {
      at,
      touches: [],
      isLast: true,
      apply: (editor) => group && editor.placeGroup(at.before.indexOf(group), bounds),
    };
  };

/** What the page does along with an edit is told by the links that these nodes had: they are read before it. */
function readAround({ graphs }: Draft, steps: readonly Step[]): void {
  for (const { graph: definition, node: id } of steps.flatMap(({ touches }) => touches)) {
    const { graph } = graphs.get(definition) ?? {};
    if (!graph) continue;
    const targets = findNode(graph, id)?.outputs.flatMap(({ linkedTo }) => linkedTo) ?? [];
    for (const { node } of targets) void findNode(graph, node)?.inputs;
  }
}
