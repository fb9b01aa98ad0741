import { menuColors } from "../../../graph/nodeColors";
import type { Located } from "../draft";
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
    for (const located of draft.nodes(nodes)) {
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
