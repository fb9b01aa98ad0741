/** What the person has changed where a reading of parts does not show it. */

import type { Comfy } from "../../comfy/bridge";
import { isNextSeed, type NodeChange } from "../../graph/compact/changes";
import { pathOf, toldNodes } from "../../graph/compact/changeWords";
import { few } from "../../shared/few";
import { type Form, shownIn } from "./forms";
import { changesSince, type Known, type Sight } from "./known";

const mostNamed = 12;

/** The nodes that have changed since the model knew them and that a form does not show as they are; undefined for none. */
export function changesElsewhere(comfy: Comfy, before: Known | undefined, sight: Sight) {
  const since = changesOf(before, sight);
  return (form: Form): string | undefined => {
    const shows = shownIn(form) ?? (() => true);
    const unseen = since.filter((change) => !shows(change));
    if (unseen.length === 0) return undefined;
    return `Since you read them: ${few(pathsOf(comfy, unseen), mostNamed)}; view changes tells what.`;
  };
}

/** Of all nodes that have changed since the model knew them the paths. */
export function changedNodes(comfy: Comfy, before: Known | undefined, sight: Sight): string[] {
  return pathsOf(comfy, changesOf(before, sight));
}

function changesOf(before: Known | undefined, sight: Sight): NodeChange[] {
  return before ? toldNodes(changesSince(before, sight)).filter((each) => !isNextSeed(each)) : [];
}

function pathsOf(comfy: Comfy, changes: readonly NodeChange[]): string[] {
  return [...new Set(changes.map((change) => pathOf(change, comfy.openPlace())))];
}
