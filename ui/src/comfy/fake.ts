/** A ComfyUI in memory that behaves like the page as far as `Comfy` tells: for tests of everything above the bridge. */

import type { Graph, GraphNode, GraphWidget, Json, NodeId, Scope, WidgetKind } from "../graph/graph";
import { freePlace } from "../graph/placement";
import { acceptsType } from "../graph/slotTypes";
import type { Comfy, GraphEditor, InputDefinition, NodeDefinition, Workflow } from "./bridge";
import { fakeNodes } from "./fakeNodes";
import { createFakeQueue, type FakeQueue } from "./fakeQueue";

export interface FakeComfy extends Comfy {
  readonly queue: FakeQueue;
  readonly undoSteps: number;
  undo(): void;
  select(...nodes: NodeId[]): void;
  openWorkflow(workflow: Workflow): void;
  openScope(scope: Scope): void;
  setMode(node: NodeId, mode: GraphNode["mode"]): void;
}

const titleHeight = 30;
const initialValues: Record<WidgetKind, Json> = {
  integer: 0,
  number: 0,
  text: "",
  boolean: false,
  choice: null,
  color: "#000000",
  other: null,
};

export function createFakeComfy({
  definitions = fakeNodes,
}: {
  definitions?: readonly NodeDefinition[];
} = {}): FakeComfy {
  let graph: Graph = { scope: { kind: "workflow" }, nodes: [], groups: [], selection: [] };
  let workflow: Workflow = { key: "workflows/Test.json", name: "Test", isModified: false };
  let lastId = 0;
  let lastTurn: string | undefined;
  const past: Graph[] = [];
  const known = new Map(definitions.map((definition) => [definition.type, definition]));

  const nodeOf = (id: NodeId) => {
    const node = graph.nodes.find((each) => each.id === id);
    if (!node) throw new Error(`There is no node ${id}.`);
    return node;
  };

  const editor: GraphEditor = {
    addNode(type, { title, position } = {}) {
      const definition = known.get(type);
      if (!definition) throw new Error(`ComfyUI cannot create a node of type ${type}.`);
      const node = newNode(String(++lastId), definition);
      if (title !== undefined) node.title = title;
      const outline = ({ position: { x, y }, size: { width, height } }: GraphNode) => ({
        x,
        y: y - titleHeight,
        width,
        height: height + titleHeight,
      });
      const anchor = graph.nodes.at(-1);
      const place = freePlace(
        { width: node.size.width, height: node.size.height + titleHeight },
        { occupied: graph.nodes.map(outline), ...(anchor && { anchor: outline(anchor) }) },
      );
      node.position = position ?? { x: place.x, y: place.y + titleHeight };
      graph.nodes.push(node);
      return node.id;
    },
    removeNode(id) {
      const node = nodeOf(id);
      for (const output of node.outputs)
        for (const target of [...output.linkedTo])
          editor.disconnect({ node: target.node, input: target.input });
      node.inputs.forEach((_, input) => {
        editor.disconnect({ node: id, input });
      });
      graph.nodes = graph.nodes.filter((each) => each !== node);
      graph.selection = graph.selection.filter((each) => each !== id);
    },
    connect(from, to) {
      const output = nodeOf(from.node).outputs[from.output];
      const input = nodeOf(to.node).inputs[to.input];
      if (!output || !input || from.node === to.node || !acceptsType(input.type, output.type)) return false;
      editor.disconnect(to);
      input.linkedFrom = { ...from, name: output.name };
      output.linkedTo.push({ ...to, name: input.name });
      return true;
    },
    disconnect({ node, input: slot }) {
      const input = nodeOf(node).inputs[slot];
      if (!input?.linkedFrom) return;
      const output = nodeOf(input.linkedFrom.node).outputs[input.linkedFrom.output];
      if (output) output.linkedTo = output.linkedTo.filter((to) => to.node !== node || to.input !== slot);
      delete input.linkedFrom;
    },
    setWidget(id, name, value) {
      const widget = nodeOf(id).widgets.find((each) => each.name === name);
      if (!widget) throw new Error(`Node ${id} has no widget ${name}.`);
      widget.value = asComfyKeeps(widget, value);
    },
  };

  return {
    workflow: () => workflow,
    graph: () => structuredClone(graph),
    scope: () => graph.scope,
    node: (id) => structuredClone(graph.nodes.find((node) => node.id === id)),
    nodeTypes: () => [...known.keys()],
    nodeDefinition: (type) => known.get(type),
    edit(change, { turn } = {}) {
      const before = structuredClone(graph);
      try {
        return change(editor);
      } finally {
        if (JSON.stringify(before) !== JSON.stringify(graph)) {
          if (turn === undefined || turn !== lastTurn || past.length === 0) past.push(before);
          lastTurn = turn;
          workflow = { ...workflow, isModified: true };
        }
      }
    },
    queue: createFakeQueue(() => graph),
    viewUrl: ({ filename, subfolder, type }) =>
      `/api/view?${new URLSearchParams({ filename, subfolder, type })}`,
    get undoSteps() {
      return past.length;
    },
    undo() {
      graph = past.pop() ?? graph;
      lastTurn = undefined;
    },
    select(...nodes) {
      graph.selection = nodes;
    },
    openWorkflow(next) {
      workflow = next;
    },
    openScope(scope) {
      graph.scope = scope;
    },
    setMode(node, mode) {
      nodeOf(node).mode = mode;
    },
  };
}

function newNode(id: NodeId, { type, title, inputs, outputs }: NodeDefinition): GraphNode {
  const widgets = inputs.flatMap((input) => (input.widget ? newWidgets(input, input.widget) : []));
  return {
    id,
    type,
    title,
    defaultTitle: title,
    mode: "active",
    isInstalled: true,
    inputs: [...inputs.filter((input) => !input.widget), ...inputs.filter((input) => input.widget)].map(
      ({ name, type: inputType, isOptional, widget }) => ({
        name,
        type: inputType,
        isOptional,
        isWidget: widget !== undefined,
      }),
    ),
    outputs: outputs.map((output) => ({ ...output, linkedTo: [] })),
    widgets,
    position: { x: 0, y: 0 },
    size: { width: 270, height: 20 * (inputs.length + widgets.length) + 20 },
  };
}

/** A seed brings ComfyUI's own control with it. */
function newWidgets(input: InputDefinition, kind: WidgetKind): GraphWidget[] {
  const { name, choices, min, max, step } = input;
  const isNumeric = kind === "integer" || kind === "number";
  const widget: GraphWidget = {
    name,
    kind,
    value: input.default ?? choices?.[0] ?? initialValues[kind],
    ...(input.default !== undefined && { default: input.default }),
    ...(choices && { choices }),
    ...(isNumeric && min !== undefined && { min }),
    ...(isNumeric && max !== undefined && { max }),
    ...(isNumeric && step !== undefined && { step }),
  };
  if (name !== "seed" && name !== "noise_seed") return [widget];
  const control: GraphWidget = {
    name: "control_after_generate",
    kind: "choice",
    value: "randomize",
    default: "randomize",
    choices: ["fixed", "increment", "decrement", "randomize"],
  };
  return [widget, control];
}

/** Number widgets keep to their range, and integers to their step. */
function asComfyKeeps(widget: GraphWidget, value: Json): Json {
  if (typeof value !== "number") return value;
  const { kind, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, step = 1 } = widget;
  const within = Math.min(max, Math.max(min, value));
  if (kind !== "integer") return within;
  const offset = Number.isFinite(min) ? min % step : 0;
  return Math.round((within - offset) / step) * step + offset;
}
