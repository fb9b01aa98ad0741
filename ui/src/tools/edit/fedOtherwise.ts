/** Inputs without a wire that take something else since an edit: what a pack hands on has reached them, or no more. */

import type { Place } from "../../graph/graph";
import { nodePath } from "../../graph/nodePath";
import { inputKey, type UnwiredLink } from "../../graph/unwired";
import type { Outcome } from "./outcome";

/** What new nodes take they were made with; what is lost is told among the open inputs. */
export function fedOtherwise(
  before: readonly UnwiredLink[],
  after: readonly UnwiredLink[],
  { added }: Pick<Outcome, "added">,
  open: Place,
): string[] {
  const earlier = new Map(before.map((link) => [inputKey(link), link]));
  const isNew = ({ place, node }: UnwiredLink) =>
    added.some(
      (change) => change.node === node && change.places.some((each) => each.join() === place.join()),
    );
  return after.flatMap((link) => {
    const was = earlier.get(inputKey(link));
    const isSame = was?.source === link.source && was.output === link.output;
    return isSame || isNew(link)
      ? []
      : [
          `${nodePath(link.place, link.node, open)}.${link.input} takes ${sourceWords(link)} without a wire${was ? `, not ${sourceWords(was)}` : ""}`,
        ];
  });
}

function sourceWords({ source, output, outputs }: UnwiredLink): string {
  return `${source}.${outputs[output] ?? output}`;
}
