import { groupColors, menuColors } from "../../../graph/nodeColors";
import type { LocatedGroup } from "../draft";
import type { Located } from "../draftGraphs";
import { nodeColor } from "../nodeColor";
import { defineOperation } from "../operation";
import { identityOf, type Step } from "../step";
import { vocabulary } from "../vocabulary";

export const color = defineOperation({
  name: "color",
  alsoCalled: { colour: {}, setColor: {} },
  fields: { nodes: vocabulary.nodes, color: vocabulary.color.optional() },
  read: (given) => given,
  *plan(draft, { nodes, color: written }) {
    const wanted = nodeColor(written);
    for (const located of draft.nodesOrGroups(nodes)) {
      if ("group" in located) {
        yield paintGroup(located, wanted);
        continue;
      }
      const isSame = located.node.color === (wanted && (menuColors[wanted] ?? wanted));
      const words = wanted === undefined ? "no color" : `the color ${wanted}`;
      yield {
        ...paint(located, wanted),
        ...(isSame && { already: `${draft.pathOf(located)} has ${words} already` }),
      };
    }
  },
});

/** Undefined takes the color away. */
export function paint({ at, node }: Located, wanted: string | undefined): Step {
  return {
    at,
    touches: [identityOf(at, node.id)],
    apply: (editor, { ids }) => editor.setColor(ids.of(node.id), wanted),
  };
}

function paintGroup({ at, group, index }: LocatedGroup, wanted: string | undefined): Step {
  const isSame = group.color === groupColors[wanted ?? "pale_blue"] || group.color === wanted;
  const words = wanted === undefined ? "the usual color" : `the color ${wanted}`;
  return {
    at,
    touches: [],
    apply: (editor) => editor.colorGroup(index, wanted),
    ...(isSame && { already: `group ${JSON.stringify(group.title)} has ${words} already` }),
  };
}
