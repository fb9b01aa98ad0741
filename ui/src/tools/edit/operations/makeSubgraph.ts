import {
  findNode,
  type Graph,
  type GraphNode,
  type NodeId,
  type Point,
  type Rectangle,
} from "../../../graph/graph";
import { homesOf, placeOfInstance } from "../../../graph/placeInstance";
import { outline } from "../../../graph/placement";
import { few } from "../../../shared/few";
import { ToolError } from "../../tool";
import { expectNoGap } from "../gaps";
import { defineOperation } from "../operation";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";
import { checkName } from "./add";

/** So many nodes of types that are not installed are named. */
const mostAbsent = 8;

export const makeSubgraph = defineOperation({
  name: "makeSubgraph",
  alsoCalled: { createSubgraph: {} },
  fields: { nodes: vocabulary.nodes, title: vocabulary.title.optional(), as: vocabulary.as.optional() },
  read: (given) => given,
  *plan(draft, { nodes, title, as: name }) {
    checkName(draft, name);
    const [at, all] = draft.nodesAndGroupsTogether(nodes);
    for (const node of all)
      expectNoGap(draft, { at, node }, "Make the subgraph in a call of its own, after this one.");
    const { node: outer } = draft.pack(at, all, {
      title: title ?? "New Subgraph",
      ...(name !== undefined && { name }),
    });
    yield {
      at,
      touches: all.map(({ id }) => identityOf(at, id)),
      costs: { act: "wrap", nodes: all },
      apply(editor, live) {
        const ids = all.map(({ id }) => id);
        const before = live.graph();
        const made = live.makeSubgraph(editor, ids, title);
        live.ids.set(outer.id, made);
        expectAllInside(all, live.inside(outer.id));
        const went = before.nodes.filter(({ id }) => ids.some((each) => live.ids.of(each) === id));
        const homes = homesOf(
          before.groups,
          went.map(({ id }) => id),
        ).map((home) => before.groups.indexOf(home));
        editor.moveNode(
          made,
          placeAsMade(live.graph(), made, outer.position, { boxes: went.map(outline), homes }),
        );
        live.ids.subgraphs.push(made);
        live.noteShown(outer.id);
        live.isRestructured = true;
      },
    };
  },
});

/** Older pages lose nodes of types that are not installed. */
function expectAllInside(nodes: readonly GraphNode[], { nodes: inside }: Graph): void {
  if (inside.length >= nodes.length) return;
  const absent = nodes.filter(({ isInstalled }) => !isInstalled).map(({ id, type }) => `${type} (${id})`);
  throw new ToolError(
    `ComfyUI would lose nodes by it whose types are not installed: ${few(absent, mostAbsent)}.`,
    "Install what has these types, or leave these nodes outside.",
  );
}

/** The page's node may be larger than the draft's: where it would lie on something, it goes on. `homes` are places of groups. */
function placeAsMade(
  graph: Graph,
  id: NodeId,
  position: Point,
  { boxes, homes }: { boxes: readonly Rectangle[]; homes: readonly number[] },
): Point {
  const made = findNode(graph, id);
  const left = { boxes, homes: homes.flatMap((index) => graph.groups[index] ?? []) };
  return made ? placeOfInstance(graph, { ...made, position }, left) : position;
}
