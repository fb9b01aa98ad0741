/** A ComfyUI in memory that behaves like the page as far as `Comfy` tells: for tests of everything above the bridge. */

import type { Graph, GraphNode, Json, NodeId, Place, Scope } from "../graph/graph";
import { findNode } from "../graph/graph";
import { drawLink, dropLink, dropNode, sourceSlot, targetSlot } from "../graph/links";
import { groupColors } from "../graph/nodeColors";
import { shapeOfSaved } from "../graph/nodeShape";
import { freeName, packed, unpacked } from "../graph/pack";
import type { Change } from "../graph/sameState";
import { acceptsType } from "../graph/slotTypes";
import {
  promoteInput,
  promoteOutput,
  removeSubgraphInput,
  removeSubgraphOutput,
} from "../graph/subgraphSlots";
import { takeBack } from "../graph/takeBack";
import type { UiNode, UiWorkflow } from "../graph/uiWorkflow";
import { unwiredLinks } from "../graph/unwired";
import type { Comfy, GraphEditor, NodeDefinition, TurnState, TypeReplacement, Workflow } from "./bridge";
import { heldBy, settleSlots, takeSlotsOf } from "./dynamicSlots";
import { readInTime, withBroadcasts } from "./fakeGraphs";
import { asComfyKeeps, newNode } from "./fakeNode";
import { fakeNodes } from "./fakeNodes";
import { createFakeQueue, type FakeQueue } from "./fakeQueue";
import { type FakeWorkflow, loaded, saved, shapeOfNode } from "./fakeSaved";
import { type Held, inputNamed } from "./inputsInForce";

export interface FakeComfy extends Comfy {
  readonly queue: FakeQueue;
  readonly undoSteps: number;
  /** What is outlined on the canvas. */
  readonly marks: { turn?: string; added: readonly NodeId[]; changed: readonly NodeId[] };
  /** What was brought into view. */
  readonly seen: readonly { nodes: readonly NodeId[]; always: boolean }[];
  undo(): void;
  select(...nodes: NodeId[]): void;
  openWorkflow(workflow: Workflow): void;
  /** Another open workflow, with the same nodes. */
  addTab(workflow: Workflow): void;
  /** Lets the workflow's own graph pass for a subgraph. */
  openScope(scope: Scope): void;
  /** Opens a subgraph that `makeSubgraph` made. */
  openSubgraph(place: Place): void;
  setMode(node: NodeId, mode: GraphNode["mode"]): void;
  /** As on newer pages, the node of a new subgraph shows the widgets of these names. */
  showInSubgraphs(...widgets: string[]): void;
  /** As on newer pages, a new subgraph loses the links into inputs of this name, at once or a frame later; its own node keeps them. */
  loseLinksInSubgraphs(input: string, when?: "at once" | "later"): void;
  /** From now on ComfyUI takes no subgraph apart. */
  refuseUnpacking(): void;
  /** A file that was put into a folder of the server, which the page has not heard of. */
  putFile(type: string, input: string, file: string): void;
  /** From now on ComfyUI refuses links into inputs of this name. */
  refuseLinksInto(input: string): void;
  /**
   * A node pack hands what feeds this node to every open input of the type, in the prompt alone; to a widget only where
   * it has this name.
   */
  broadcast(node: NodeId, widget?: string): void;
}

interface State extends FakeWorkflow {
  lastId: number;
}

export function createFakeComfy({
  definitions = fakeNodes,
  templates = {},
  files = {},
  replacements = {},
}: {
  definitions?: readonly NodeDefinition[];
  /** Workflows by name; a package's are called `package:name`. */
  templates?: Readonly<Record<string, unknown>>;
  /** Contents by name, whatever the folder. */
  files?: Readonly<Record<string, Uint8Array>>;
  /** As the server lists them. */
  replacements?: Readonly<Record<string, TypeReplacement>>;
} = {}): FakeComfy {
  let state: State = {
    root: { scope: { kind: "workflow" }, nodes: [], groups: [], selection: [] },
    subgraphs: new Map(),
    lastId: 0,
  };
  let open: Place = [];
  let isLearned = false;
  const heard = new Map<string, (told: unknown) => void>();
  let workflow: Workflow = { key: "workflows/Test.json", name: "Test", isModified: false };
  const otherTabs: Workflow[] = [];
  let lastTurn: string | undefined;
  let marks: FakeComfy["marks"] = { added: [], changed: [] };
  const past: { state: State; turn: string | undefined }[] = [];
  const turns = new Map<string, { changes: Change[]; state: TurnState }>();
  const note = (turn: string | undefined, before: State) => {
    if (turn === undefined) return;
    const changes = [
      ...(turns.get(turn)?.changes ?? []),
      { before: plain(before), after: plain(structuredClone(state)) },
    ];
    turns.set(turn, { changes, state: "done" });
  };
  const known = new Map(definitions.map((definition) => [definition.type, definition]));
  const refused = new Set<string>();
  let isUnpackingRefused = false;
  const shownInSubgraphs = new Set<string>();
  const lostInSubgraphs = new Map<string, "at once" | "later">();
  const later: (() => void)[] = [];
  const broadcasting = new Map<NodeId, string | undefined>();
  const addChoice = ({ type, input, file }: { type: string; input: string; file: string }) => {
    const definition = known.get(type);
    const inputs = definition?.inputs.map((each) =>
      each.name === input ? { ...each, choices: [...(each.choices ?? []), file] } : each,
    );
    if (definition && inputs) known.set(type, { ...definition, inputs });
    for (const node of [state.root, ...state.subgraphs.values()].flatMap(({ nodes }) => nodes))
      for (const widget of node.widgets)
        if (node.type === type && widget.name === input) widget.choices = [...(widget.choices ?? []), file];
  };
  const news: { type: string; input: string; file: string }[] = [];
  const seen: FakeComfy["seen"][number][] = [];

  const graphFound = (place: Place = open): Graph | undefined =>
    place.reduce<Graph | undefined>((graph, id) => {
      const subgraph = graph && findNode(graph, id)?.subgraph;
      return subgraph && state.subgraphs.get(subgraph.id);
    }, state.root);
  const graphAt = (place: Place = open): Graph => {
    const graph = graphFound(place);
    if (!graph) throw new Error(`There is no subgraph node ${place.join(":")}.`);
    return graph;
  };

  const around = (inner: Graph) => ({ inner, outer: [state.root, ...state.subgraphs.values()] });

  const nextId = () => String(++state.lastId);

  function editorOf(place: Place | undefined): GraphEditor {
    const graph = () => graphAt(place);
    const nodeOf = (id: NodeId) => {
      const node = findNode(graph(), id);
      if (!node) throw new Error(`There is no node ${id}.`);
      return node;
    };
    const groupOf = (index: number) => {
      const group = graph().groups[index];
      if (!group) throw new Error(`There is no group ${index}.`);
      return group;
    };
    const editor: GraphEditor = {
      within: editorOf,
      addNode(type, { id, title, position = { x: graph().nodes.length * 400, y: 0 }, size } = {}) {
        const definition = known.get(type);
        if (!definition) throw new Error(`ComfyUI cannot create a node of type ${type}.`);
        const node = newNode(id ?? nextId(), definition);
        if (title !== undefined) node.title = title;
        node.position = position;
        if (size) node.size = size;
        graph().nodes.push(node);
        return node.id;
      },
      removeNode(id) {
        dropNode(graph(), nodeOf(id).id);
      },
      connect(from, to) {
        const source = sourceSlot(graph(), from);
        const target = targetSlot(graph(), to);
        if (!source || !target || from.node === to.node || !acceptsType(target.type, source.type))
          return false;
        if (refused.has(target.name)) return false;
        drawLink(graph(), from, to);
        const node = findNode(graph(), to.node);
        const definition = node && known.get(node.type);
        if (definition) settleSlots(graph(), node, definition);
        return true;
      },
      disconnect(input) {
        dropLink(graph(), input);
      },
      makeRoom(input) {
        dropLink(graph(), input);
      },
      setWidget(id, name, value) {
        const node = nodeOf(id);
        const widget = node.widgets.find((each) => each.name === name);
        if (!widget) throw new Error(`Node ${id} has no widget ${name}.`);
        widget.value = asComfyKeeps(widget, value);
        const definition = known.get(node.type);
        if (definition && inputNamed(definition, name)?.options)
          takeSlotsOf(graph(), node, newNode(id, definition, heldBy(node)), definition);
      },
      setTitle(id, title) {
        nodeOf(id).title = title;
      },
      setMode(id, mode) {
        nodeOf(id).mode = mode;
      },
      setColor(id, color) {
        const node = nodeOf(id);
        if (color === undefined) delete node.color;
        else node.color = color;
      },
      moveNode(id, position) {
        nodeOf(id).position = { ...position };
      },
      addGroup(title, nodes, color) {
        graph().groups.push({ title, nodes: nodes.map((id) => nodeOf(id).id), color: groupColor(color) });
      },
      clearEdges() {},
      placeGroup(index, bounds) {
        groupOf(index).bounds = bounds;
      },
      removeGroup(index) {
        graph().groups = graph().groups.filter((each) => each !== groupOf(index));
      },
      colorGroup(index, color) {
        groupOf(index).color = groupColor(color);
      },
      titleGroup(index, title) {
        groupOf(index).title = title;
      },
      makeSubgraph(nodes, title = "New Subgraph") {
        const id = nextId();
        const subgraph = { id: `subgraph-${id}`, name: title };
        const definition = { type: subgraph.id, title, category: "", description: "", isOutput: false };
        const instance = { ...newNode(id, { ...definition, inputs: [], outputs: [] }), subgraph };
        const inner = packed(
          graph(),
          nodes.map((each) => nodeOf(each).id),
          instance,
        );
        state.subgraphs.set(subgraph.id, inner);
        const lose = (when: "at once" | "later") => {
          for (const input of inner.nodes.flatMap(({ inputs }) => inputs))
            if (lostInSubgraphs.get(input.name) === when) delete input.linkedFrom;
        };
        lose("at once");
        later.push(() => lose("later"));
        for (const node of inner.nodes)
          for (const [input, { name, linkedFrom }] of node.inputs.entries())
            if (shownInSubgraphs.has(name) && !linkedFrom)
              promoteInput(around(inner), { node: node.id, input }, freeName(name, instance.inputs));
        return id;
      },
      expandSubgraph(id, by) {
        const node = nodeOf(id);
        const inner = state.subgraphs.get(node.subgraph?.id ?? "");
        if (!inner) throw new Error(`Node ${id} is no subgraph.`);
        if (isUnpackingRefused) return false;
        unpacked(graph(), node, inner, { by, newId: nextId });
        return true;
      },
      promoteInput(to, name) {
        promoteInput(around(graph()), to, name);
      },
      promoteOutput(from, name) {
        promoteOutput(around(graph()), from, name);
      },
      demote(id, side, name) {
        const inner = state.subgraphs.get(nodeOf(id).subgraph?.id ?? "");
        if (!inner) throw new Error(`Node ${id} is no subgraph.`);
        (side === "input" ? removeSubgraphInput : removeSubgraphOutput)(around(inner), name);
      },
    };
    return editor;
  }

  const editor = editorOf(undefined);
  let edits = 0;
  const queue = createFakeQueue(
    () => withBroadcasts(graphAt(), broadcasting),
    () => workflow.key,
  );

  return {
    workflow: () => workflow,
    hear: (name, listener) => void heard.set(name, listener),
    tabs: () =>
      [workflow, ...otherTabs].map(({ key, name }) => ({ key, name, nodes: state.root.nodes.length })),
    async openTab(key) {
      const next = otherTabs.find((tab) => tab.key === key);
      if (!next) return;
      otherTabs.splice(otherTabs.indexOf(next), 1);
      otherTabs.unshift(workflow);
      workflow = next;
    },
    graph: (place) => structuredClone(graphAt(place)),
    briefly(place) {
      const then = edits;
      return readInTime(structuredClone(graphAt(place)), () => edits === then);
    },
    openPlace: () => open,
    async unwired() {
      const { nodes } = await queue.prompt();
      if (broadcasting.size === 0) return { links: [] };
      const isOutput = (type: string) => known.get(type)?.isOutput ?? false;
      return { links: unwiredLinks([{ place: open, graph: graphAt() }], nodes, isOutput), prompt: nodes };
    },
    scope: (place) => graphAt(place).scope,
    node(id, place) {
      const graph = graphFound(place);
      return graph && structuredClone(findNode(graph, id));
    },
    nodeTypes: () => [...known.keys()],
    nodeDefinition: (type) => known.get(type),
    async learnReplacements() {
      isLearned = true;
    },
    replacementOf(type) {
      const replacement = isLearned ? replacements[type] : undefined;
      return replacement && known.has(replacement.type) ? replacement : undefined;
    },
    pageTypes: () => [],
    offerPicture: (file) => addChoice({ type: "LoadImage", input: "image", file }),
    async refreshChoices(types) {
      const arrived = news.filter(({ type }) => types.includes(type));
      for (const each of arrived) addChoice(each);
      news.splice(0, news.length, ...news.filter((each) => !arrived.includes(each)));
      return arrived.length > 0;
    },
    blankNode(type, values = []) {
      const definition = known.get(type);
      const given = new Map(values);
      const node = definition && newNode("-1", definition, (name) => given.get(name));
      for (const widget of node?.widgets ?? [])
        widget.value = values.find(([name]) => name === widget.name)?.[1] ?? widget.value;
      return node;
    },
    whole: {
      read: () => saved(structuredClone(state)),
      shape(type, held) {
        const definition = known.get(type);
        return definition && shapeOfNode(definition, held);
      },
      template: async (name) => templates[name],
      file: async ({ filename }) => files[filename],
      async load(next, { newTab, turn } = {}) {
        const before = state;
        const fresh = loaded(next as unknown as UiWorkflow, (saved) => {
          const definition = known.get(saved.type);
          return definition && newNode("-1", definition, heldBySaved(definition, saved));
        });
        const lastId = Math.max(0, ...fresh.root.nodes.map(({ id }) => Number(id)).filter(Number.isFinite));
        state = { ...fresh, lastId };
        open = [];
        if (newTab !== undefined) {
          workflow = { key: `workflows/${newTab}.json`, name: newTab, isModified: true };
          past.splice(0);
          return;
        }
        if (turn === undefined || turn !== lastTurn || past.length === 0) past.push({ state: before, turn });
        lastTurn = turn;
        note(turn, before);
        workflow = { ...workflow, isModified: true };
      },
    },
    async finished(read) {
      for (const change of later.splice(0)) change();
      return read();
    },
    edit(change, { turn } = {}) {
      const before = structuredClone(state);
      edits++;
      try {
        return change(editor);
      } catch (error) {
        state = structuredClone(before);
        throw error;
      } finally {
        if (!isSame(before, state)) {
          if (turn === undefined || turn !== lastTurn || past.length === 0)
            past.push({ state: before, turn });
          lastTurn = turn;
          note(turn, before);
          workflow = { ...workflow, isModified: true };
        }
      }
    },
    mark(turn, { added, changed }) {
      const isSame = turn !== undefined && marks.turn === turn;
      const ids = (nodes: typeof added) => nodes.map(({ node }) => node);
      marks = {
        ...(turn !== undefined && { turn }),
        added: [...(isSame ? marks.added : []), ...ids(added)],
        changed: [...(isSame ? marks.changed : []), ...ids(changed)],
      };
    },
    bringIntoView(nodes = graphAt().nodes.map(({ id }) => id), { always = false } = {}) {
      seen.push({ nodes, always });
    },
    seen,
    get marks() {
      return marks;
    },
    turnState: (turn) => turns.get(turn)?.state,
    hearTurns() {},
    keptTurns: () => [],
    restoreTurns() {},
    async toggleTurn(turn) {
      const made = turns.get(turn);
      if (!made) return ["nothing is known of it"];
      const before = structuredClone(state);
      let now: unknown = plain(before);
      for (const change of made.changes.toReversed()) {
        const taken = takeBack(change, now);
        if (taken.inTheWay.length > 0) return taken.inTheWay;
        now = taken.state;
      }
      const { subgraphs, ...others } = now as ReturnType<typeof plain>;
      state = structuredClone({ ...others, subgraphs: new Map(Object.entries(subgraphs)) });
      past.push({ state: before, turn: undefined });
      const changes = [{ before: plain(before), after: plain(structuredClone(state)) }];
      turns.set(turn, { changes, state: made.state === "done" ? "undone" : "done" });
      return [];
    },
    queue,
    viewUrl: ({ filename, subfolder, type }) =>
      `/api/view?${new URLSearchParams({ filename, subfolder, type })}`,
    reload: async () => {},
    upload: async ({ name }) => ({ filename: name, subfolder: "", type: "input" }),
    picture: async () => ({ url: "data:image/jpeg;base64,", width: 64, height: 64 }),
    get undoSteps() {
      return past.length;
    },
    undo() {
      state = past.pop()?.state ?? state;
      lastTurn = past.at(-1)?.turn;
    },
    select(...nodes) {
      graphAt().selection = nodes;
    },
    addTab(tab) {
      otherTabs.push(tab);
    },
    openWorkflow(next) {
      workflow = next;
    },
    openScope(scope) {
      state.root.scope = scope;
    },
    openSubgraph(place) {
      graphAt(place);
      open = place;
    },
    setMode(id, mode) {
      editor.setMode(id, mode);
    },
    loseLinksInSubgraphs(input, when = "at once") {
      lostInSubgraphs.set(input, when);
    },
    putFile(type, input, file) {
      news.push({ type, input, file });
    },
    showInSubgraphs(...widgets) {
      for (const each of widgets) shownInSubgraphs.add(each);
    },
    refuseUnpacking() {
      isUnpackingRefused = true;
    },
    refuseLinksInto(input) {
      refused.add(input);
    },
    broadcast(id, widget) {
      broadcasting.set(id, widget);
    },
  };
}

/** By the names that the positions of its values have. */
function heldBySaved(definition: NodeDefinition, saved: UiNode): Held {
  const shape = shapeOfSaved((_, held) => shapeOfNode(definition, held), saved);
  const values = (Array.isArray(saved.widgets_values) ? saved.widgets_values : []) as Json[];
  return (name) => values[shape?.widgets.findIndex((widget) => widget.name === name) ?? -1];
}

function plain({ subgraphs, ...others }: State) {
  return { ...others, subgraphs: Object.fromEntries(subgraphs) };
}

function isSame(one: State, other: State): boolean {
  return JSON.stringify([one.root, ...one.subgraphs]) === JSON.stringify([other.root, ...other.subgraphs]);
}

function groupColor(color = "pale_blue"): string {
  return groupColors[color] ?? color;
}
