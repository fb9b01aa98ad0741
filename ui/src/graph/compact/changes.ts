/** What became different between two readings of a workflow, as values; `changeWords.ts` puts them into words. */

import type { ChangeKind } from "../../shared/graphChanges";
import { type NodeId, type NodeMode, type Place, type Point, subgraphOutput } from "../graph";
import { type GraphMet, graphsMet, type NodeType, typeOf } from "./graphsMet";
import type {
  CompactGraph,
  CompactGroup,
  CompactNode,
  CompactPort,
  CompactSource,
  CompactSubgraph,
  CompactValue,
  CompactWorkflow,
} from "./workflow";

export interface Changes {
  nodes: NodeChange[];
  groups: GroupChange[];
}

/** The graph that something lies in. All nodes of a subgraph show one graph, so what changes there changes in each. */
export interface ChangedGraph {
  /** Id of the subgraph's definition; undefined for the workflow's own graph. */
  graph: string | undefined;
  /** Where it is met, `[]` being the workflow itself. */
  places: readonly [Place, ...Place[]];
  /** Whether the graph was there before and still is. */
  isGraphKept: boolean;
}

export interface NodeChange extends ChangedGraph {
  kind: ChangeKind;
  /** `output` is the subgraph's own edge. */
  node: NodeId;
  /** What it is, or was if it is gone; undefined for an edge. */
  type: NodeType | undefined;
  before?: CompactNode;
  after?: CompactNode;
  /** Empty for what is new or gone. */
  differences: Difference[];
  /** The node of a new subgraph in which it lies now under the same id. */
  movedInto?: NodeId;
  /** Of the node of a new subgraph: the nodes that went into it. */
  took?: readonly NodeId[];
}

/** What is left out was not there. */
export type Difference =
  | { of: "type"; before: NodeType; after: NodeType }
  | { of: "title"; before?: string; after?: string }
  | { of: "mode"; before: NodeMode; after: NodeMode }
  | { of: "color"; before?: string; after?: string }
  | { of: "position"; before: Point; after: Point }
  | { of: "link"; input: string; before?: CompactSource; after?: CompactSource }
  /** An input or output of a subgraph. */
  | { of: "slot"; name: string; isThere: boolean }
  /** Fed by a link before and after, a value has no effect. */
  | { of: "value"; name: string; before?: CompactValue; after?: CompactValue; isFed: boolean }
  /** A widget of the inside that a subgraph node shows. */
  | { of: "shown"; path: string; isThere: boolean };

export interface GroupChange extends ChangedGraph {
  kind: ChangeKind;
  title: string;
  before?: readonly NodeId[];
  after?: readonly NodeId[];
  /** What it was called before. */
  formerTitle?: string;
  /** The one that it was given. */
  color?: string;
}

export function changesBetween(before: CompactWorkflow, after: CompactWorkflow): Changes {
  const [earlier, later] = [graphsMet(before), graphsMet(after)];
  const changes: Changes = { nodes: [], groups: [] };
  for (const id of new Set([...earlier.keys(), ...later.keys()])) {
    const [was, is] = [earlier.get(id), later.get(id)];
    const places = (is ?? was)?.places;
    if (!places) continue;
    const at = { graph: id, places, isGraphKept: was !== undefined && is !== undefined };
    changes.nodes.push(...nodeChanges(was, is).map((change) => ({ ...at, ...change })));
    changes.groups.push(...groupChanges(was?.graph, is?.graph).map((change) => ({ ...at, ...change })));
  }
  markMoves(changes.nodes);
  return changes;
}

/** Nodes that went into a subgraph are neither gone nor new. */
function markMoves(changes: readonly NodeChange[]): void {
  for (const outer of changes) {
    if (outer.kind !== "added" || outer.type?.subgraph === undefined) continue;
    const isInside = ({ node, type }: NodeChange) =>
      changes.some(
        (inner) =>
          inner.graph === outer.type?.id &&
          !inner.isGraphKept &&
          inner.kind === "added" &&
          inner.node === node &&
          inner.type?.id === type?.id,
      );
    const moved = changes.filter(
      (each) => each.kind === "removed" && each.graph === outer.graph && isInside(each),
    );
    for (const each of moved) each.movedInto = outer.node;
    if (moved.length > 0) outer.took = moved.map(({ node }) => node);
  }
}

/** Seeds move on by themselves with every run. */
export function isNextSeed({ kind, differences: [only, ...more] }: NodeChange): boolean {
  return (
    kind === "changed" && more.length === 0 && only?.of === "value" && /^(?:noise_)?seed$/.test(only.name)
  );
}

/** Where nodes lie, what color they have, what a link hides and what they show of a run is nothing to plan for. */
export function withoutLooks({ nodes, groups }: Changes): Changes {
  const isLook = (difference: Difference) =>
    difference.of === "position" ||
    difference.of === "color" ||
    (difference.of === "value" && (difference.isFed || (difference.after ?? difference.before)?.isShown));
  return {
    nodes: nodes.flatMap((change) => {
      const differences = change.differences.filter((difference) => !isLook(difference));
      return change.kind === "changed" && differences.length === 0 ? [] : [{ ...change, differences }];
    }),
    groups,
  };
}

/** A node of another type is another one that has only the number of the one before: that is gone, and this is new. */
export function withTypesApart({ nodes, groups }: Changes): Changes {
  return {
    nodes: nodes.flatMap((change): NodeChange[] => {
      const type = change.differences.find((difference) => difference.of === "type");
      if (type?.of !== "type" || type.before.id === type.after.id) return [change];
      const { before, after, ...rest } = { ...change, differences: [] };
      return [
        { ...rest, kind: "removed", type: type.before, ...(before && { before }) },
        { ...rest, kind: "added", ...(after && { after }) },
      ];
    }),
    groups,
  };
}

type ChangeInGraph<Change> = Omit<Change, keyof ChangedGraph>;

function nodeChanges(was: GraphMet | undefined, is: GraphMet | undefined): ChangeInGraph<NodeChange>[] {
  const [earlier, later] = [nodesById(was?.graph), nodesById(is?.graph)];
  const type = (node: CompactNode, at: GraphMet | undefined) => typeOf(node, at?.subgraphOf(node));
  return [
    ...[...earlier.values()].flatMap((before): ChangeInGraph<NodeChange>[] =>
      later.has(before.id)
        ? []
        : [{ kind: "removed", node: before.id, type: type(before, was), before, differences: [] }],
    ),
    ...[...later.values()].flatMap((after): ChangeInGraph<NodeChange>[] => {
      const before = earlier.get(after.id);
      const now = { node: after.id, type: type(after, is), after };
      if (!before) return [{ ...now, kind: "added", differences: [] }];
      if (before === after && !was?.subgraphOf(before) && !is?.subgraphOf(after)) return [];
      const differences = differencesBetween(before, after, {
        types: [type(before, was), type(after, is)],
        subgraphs: [was?.subgraphOf(before), is?.subgraphOf(after)],
      });
      return differences.length === 0 ? [] : [{ ...now, kind: "changed", before, differences }];
    }),
    ...edgeChanges(was?.outputs ?? [], is?.outputs ?? []),
  ];
}

/** What comes out of a subgraph elsewhere than before. */
function edgeChanges(
  was: CompactSubgraph["outputs"],
  is: CompactSubgraph["outputs"],
): ChangeInGraph<NodeChange>[] {
  const earlier = new Map(was.map(({ name, source }) => [name, source]));
  const differences = is
    .filter(({ name }) => earlier.has(name))
    .flatMap(({ name, source }) => linkDifference(name, earlier.get(name), source));
  return differences.length === 0
    ? []
    : [{ kind: "changed", node: subgraphOutput, type: undefined, differences }];
}

interface Kinds {
  types: [NodeType, NodeType];
  subgraphs: [CompactSubgraph | undefined, CompactSubgraph | undefined];
}

function differencesBetween(
  was: CompactNode,
  is: CompactNode,
  { types: [typeBefore, typeAfter], subgraphs: [subgraphBefore, subgraphAfter] }: Kinds,
): Difference[] {
  const isSameType = typeBefore.id === typeAfter.id;
  return [
    ...(isSameType && typeBefore.subgraph === typeAfter.subgraph
      ? []
      : [{ of: "type" as const, before: typeBefore, after: typeAfter }]),
    ...(was.title === is.title ? [] : [{ of: "title" as const, ...both(was.title, is.title) }]),
    ...(was.mode === is.mode ? [] : [{ of: "mode" as const, before: was.mode, after: is.mode }]),
    ...looksDifferences(was, is),
    ...linkDifferences(was, is),
    ...(isSameType ? slotDifferences(subgraphBefore, subgraphAfter) : []),
    ...valueDifferences(was, is, isSameType),
    ...presence(was.shown, is.shown).map(({ name, isThere }) => ({
      of: "shown" as const,
      path: name,
      isThere,
    })),
  ];
}

function looksDifferences({ unwritten: was }: CompactNode, { unwritten: is }: CompactNode): Difference[] {
  if (!was || !is) return [];
  return [
    ...(was.color === is.color ? [] : [{ of: "color" as const, ...both(was.color, is.color) }]),
    ...(was.position.x === is.position.x && was.position.y === is.position.y
      ? []
      : [{ of: "position" as const, before: was.position, after: is.position }]),
  ];
}

function linkDifferences(was: CompactNode, is: CompactNode): Difference[] {
  const [earlier, later] = [sourcesByInput(was), sourcesByInput(is)];
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((input) =>
    linkDifference(input, earlier.get(input), later.get(input)),
  );
}

/** By wires: the others follow from these and from values. */
function sourcesByInput({ links }: CompactNode): Map<string, CompactSource> {
  return new Map(links.flatMap(({ input, source, unwired }) => (unwired ? [] : [[input, source]])));
}

function linkDifference(
  input: string,
  before: CompactSource | undefined,
  after: CompactSource | undefined,
): Difference[] {
  return before?.node === after?.node && before?.slot === after?.slot
    ? []
    : [{ of: "link", input, ...both(before, after) }];
}

/** What the nodes of a subgraph have as inputs and outputs now, and what no more. */
function slotDifferences(was: CompactSubgraph | undefined, is: CompactSubgraph | undefined): Difference[] {
  const names = ({ inputs, outputs }: CompactSubgraph) => [
    ...new Set([...inputs, ...outputs].map(({ name }: CompactPort) => name)),
  ];
  return was && is ? presence(names(was), names(is)).map((each) => ({ of: "slot", ...each })) : [];
}

/** Another type has other widgets, which its name tells; of these only what is not as in a new node. */
function valueDifferences(was: CompactNode, is: CompactNode, isSameType: boolean): Difference[] {
  const [earlier, later] = [valuesByName(was), valuesByName(is)];
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((name): Difference[] => {
    const [before, after] = [earlier.get(name), later.get(name)];
    const isSame = JSON.stringify(before?.value) === JSON.stringify(after?.value);
    const isNew = !before && is.values.some((value) => value.name === name);
    if (isSame || (!isSameType && (!before || !after) && !isNew)) return [];
    return [{ of: "value", name, ...both(before, after), isFed: isFedIn(was, name) && isFedIn(is, name) }];
  });
}

function valuesByName({ values, unwritten }: CompactNode): Map<string, CompactValue> {
  const { usual = [], fed = [] } = unwritten ?? {};
  return new Map([...values, ...usual, ...fed].map((value) => [value.name, value]));
}

function isFedIn({ unwritten }: CompactNode, name: string): boolean {
  return (unwritten?.fed ?? []).some((value) => value.name === name);
}

function presence(before: readonly string[], after: readonly string[]): { name: string; isThere: boolean }[] {
  return [
    ...before.filter((name) => !after.includes(name)).map((name) => ({ name, isThere: false })),
    ...after.filter((name) => !before.includes(name)).map((name) => ({ name, isThere: true })),
  ];
}

function both<Value>(before: Value | undefined, after: Value | undefined): { before?: Value; after?: Value } {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

/** Groups of the same title are told apart by their nodes and their order; one that lies where another lay, with its nodes, is that one renamed. */
function groupChanges(
  was: CompactGraph | undefined,
  is: CompactGraph | undefined,
): ChangeInGraph<GroupChange>[] {
  const [earlier, later] = [groupsByName(was), groupsByName(is, was)];
  const formerNames = renamedGroups(earlier, later);
  const formerly = new Set(formerNames.values());
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((name): ChangeInGraph<GroupChange>[] => {
    const formerName = formerNames.get(name);
    const [before, after] = [earlier.get(formerName ?? name)?.group, later.get(name)?.group];
    if (!before) return after ? [{ kind: "added", title: after.title, after: after.nodes }] : [];
    if (!after)
      return formerly.has(name) ? [] : [{ kind: "removed", title: before.title, before: before.nodes }];
    const color = before.unwritten?.color === after.unwritten?.color ? undefined : after.unwritten?.color;
    // The order is that in which their lines come.
    const isSame = membersOf(before) === membersOf(after);
    return isSame && color === undefined && formerName === undefined
      ? []
      : [
          {
            ...{ kind: "changed", title: after.title, before: before.nodes, after: after.nodes },
            ...(formerName !== undefined && { formerTitle: before.title }),
            ...(color !== undefined && { color }),
          },
        ];
  });
}

interface NamedGroup {
  group: CompactGroup;
  index: number;
}

function membersOf({ nodes }: CompactGroup): string {
  return nodes.toSorted().join();
}

/** New names, with those of before. */
function renamedGroups(
  earlier: ReadonlyMap<string, NamedGroup>,
  later: ReadonlyMap<string, NamedGroup>,
): Map<string, string> {
  const gone = [...earlier].filter(([name]) => !later.has(name));
  return new Map(
    [...later]
      .filter(([name]) => !earlier.has(name))
      .flatMap(([name, { group, index }]): [string, string][] => {
        const former = gone.find(
          ([, each]) => each.index === index && membersOf(each.group) === membersOf(group),
        );
        return former ? [[name, former[0]]] : [];
      }),
  );
}

/** Of groups with one title, those with the nodes of one there come in its place, the others in their order. */
function groupsByName(
  { groups }: CompactGraph = { nodes: [], groups: [] },
  there?: CompactGraph,
): Map<string, NamedGroup> {
  const known = there ? groupsByName(there) : new Map<string, NamedGroup>();
  const named = new Map<CompactGroup, string>();
  const isFree = (name: string) => ![...named.values()].includes(name);
  for (const group of groups) {
    const isSame = (other: CompactGroup) =>
      other.title === group.title && membersOf(other) === membersOf(group);
    const same = [...known].find(([name, other]) => isSame(other.group) && isFree(name));
    if (same) named.set(group, same[0]);
  }
  for (const group of groups)
    for (let count = 1; !named.has(group); count++)
      if (isFree(`${count} ${group.title}`)) named.set(group, `${count} ${group.title}`);
  return new Map(groups.map((group, index) => [named.get(group) ?? "", { group, index }]));
}

function nodesById(graph: CompactGraph | undefined): Map<NodeId, CompactNode> {
  return new Map((graph?.nodes ?? []).map((node) => [node.id, node]));
}
