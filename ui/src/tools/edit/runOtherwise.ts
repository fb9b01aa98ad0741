/** What an edit lets a pack run otherwise, although neither the edit nor what the page changed with it says so. */

import type { Comfy } from "../../comfy/bridge";
import { touchedBy } from "../../graph/compact/asked";
import { linkedNode } from "../../graph/prompt";
import { differenceWords } from "../../graph/promptDifferences";
import type { Unwired } from "../../graph/unwired";
import { unasked } from "../apply/proof";
import type { Sight } from "../read/known";

interface Edited {
  before: Sight;
  after: Sight;
  feeds: Unwired;
  fed: Unwired;
}

/**
 * Where packs take part in making the prompt: values that they write into it, and nodes that they take out. Links without
 * a wire are told elsewhere.
 */
export async function runOtherwise(comfy: Comfy, { before, after, feeds, fed }: Edited): Promise<string[]> {
  if (!feeds.prompt || !fed.prompt) return [];
  const asked = {
    before: before.workflow,
    written: after.workflow,
    touched: touchedBy(after.workflow, before.workflow),
  };
  const found = await unasked(comfy, feeds.prompt, asked, fed.prompt);
  return found
    .filter((difference) => {
      const isLost = linkedNode(difference.before) !== undefined && difference.after === undefined;
      return difference.input === undefined || !(isLost || linkedNode(difference.after) !== undefined);
    })
    .map(differenceWords);
}
