import { groupColors, menuColors } from "../../../graph/nodeColors";
import type { Located } from "../draftGraphs";
import type { LocatedGroup } from "../draftGroups";
import { nodeColor } from "../nodeColor";
import { defineOperation } from "../operation";
import { alreadySo, identityOf, type Step } from "../step";
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
      const words = wanted === undefined ? "no color" : `the color ${wanted}`;
      yield {
        ...alreadySo(
          () => located.node.color === shown(wanted),
          () => `${draft.pathOf(located)} has ${words} already`,
        ),
        ...paint(located, wanted),
      };
    }
  },
});

/** Undefined takes the color away. */
export function paint({ at, node }: Located, wanted: string | undefined): Step {
  const color = shown(wanted);
  if (color === undefined) delete node.color;
  else node.color = color;
  return {
    at,
    touches: [identityOf(at, node.id)],
    apply: (editor, { ids }) => editor.setColor(ids.of(node.id), wanted),
  };
}

function shown(wanted: string | undefined): string | undefined {
  return wanted && (menuColors[wanted] ?? wanted);
}

function paintGroup({ at, group, index }: LocatedGroup, wanted: string | undefined): Step {
  const colors = [groupColors[wanted ?? "pale_blue"], wanted];
  const words = wanted === undefined ? "the usual color" : `the color ${wanted}`;
  const already = alreadySo(
    () => colors.includes(group.color),
    () => `group ${JSON.stringify(group.title)} has ${words} already`,
  );
  const [color = wanted] = colors;
  if (color === undefined) delete group.color;
  else group.color = color;
  return {
    at,
    touches: [],
    apply: (editor) => editor.colorGroup(index, wanted),
    isLast: true,
    ...already,
  };
}
