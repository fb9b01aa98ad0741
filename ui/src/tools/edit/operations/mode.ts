import type { NodeMode } from "../../../graph/graph";
import type { Located } from "../draftGraphs";
import { defineOperation, needs } from "../operation";
import { alreadySo, identityOf, type Step } from "../step";
import { vocabulary } from "../vocabulary";

const costs = { muted: "mute", bypassed: "bypass" } as const;

const modes = new Map<string, NodeMode>([
  ["active", "active"],
  ["enable", "active"],
  ["enabled", "active"],
  ["bypass", "bypassed"],
  ["bypassed", "bypassed"],
  ["mute", "muted"],
  ["muted", "muted"],
]);

export const mode = defineOperation({
  name: "mode",
  alsoCalled: {
    setMode: {},
    mute: { mode: "mute" },
    bypass: { mode: "bypass" },
    ...{ activate: { mode: "active" }, enable: { mode: "active" } },
    ...{ unmute: { mode: "active" }, unbypass: { mode: "active" } },
  },
  fields: { nodes: vocabulary.nodes, mode: vocabulary.mode },
  notes: { nodes: "mode, move, title, color, remove: groups too." },
  read: ({ nodes, mode: word }) => ({ nodes, mode: modeMeant(word) }),
  *plan(draft, { nodes, mode: wanted }) {
    for (const located of draft.nodesAndGroups(nodes)) {
      const isSame = () => located.node.mode === wanted;
      const takesIt = wanted !== "active" && !isSame();
      yield {
        ...alreadySo(isSame, () => `${draft.pathOf(located)} is ${wanted} already`),
        ...(takesIt && { costs: { act: costs[wanted], nodes: [located.node] } }),
        ...switchMode(located, wanted),
      };
    }
  },
});

export function switchMode({ at, node }: Located, wanted: NodeMode): Step {
  node.mode = wanted;
  return {
    at,
    touches: [identityOf(at, node.id)],
    apply: (editor, { ids }) => editor.setMode(ids.of(node.id), wanted),
  };
}

function modeMeant(word: string): NodeMode {
  const meant = modes.get(word.trim().toLowerCase());
  if (!meant) throw needs("mode: active, bypass or mute");
  return meant;
}
