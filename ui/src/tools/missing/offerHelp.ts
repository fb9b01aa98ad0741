/**
 * The assistant's help with a workflow that lacks something or is too large here, until it is dismissed or of no use: what
 * is lacking after a try, as a file that the disk had no room for, is a click away again.
 */

import type { Comfy } from "../../comfy/bridge";
import { addToStoredList, storedList } from "../../shared/storedList";
import type { Ask } from "./ask";
import { agreeTo, lookUpWords } from "./lookUp";
import { type Need, namesOf, needOf, sayings } from "./need";

export interface HelpOffer {
  /** What the workflow lacks, and what of it is larger than the device's memory. */
  says: string;
  /** On the button. */
  invites: string;
  /** Who is asked for what when the person takes the offer, all of it; empty where nobody has to be asked. */
  whom: string;
  /** What the assistant is asked then. */
  take(): string;
  dismiss(): void;
  /** Closes it where the workflow needs something else by now. */
  lookAgain(): Promise<void>;
}

const request =
  "Make this workflow run here: get the models and nodes that it lacks with findMissing, then run it.";
const smaller =
  "See with findMissing what is smaller than the models of this workflow that are larger than this device's memory.";
const key = "comfyui-assistant.left-missing";
const mostKept = 50;

/** Undefined where nothing is missing or too large, or the person has dismissed the same offer, or seen what is smaller. */
export async function offerHelp(
  ask: Ask,
  comfy: Comfy,
  storage: Pick<Storage, "getItem" | "setItem">,
  close: () => void,
): Promise<HelpOffer | undefined> {
  const need = await needOf(ask, comfy);
  const lack = lackOf(need);
  if (lack === "" || storedList(storage, key).includes(lack)) return undefined;

  function dismiss() {
    addToStoredList(storage, key, lack, mostKept);
    close();
  }
  const isLacking = namesOf(need).length > 0;
  return {
    says: sayings(need).join(" "),
    invites: isLacking ? "Get all" : "See what is smaller",
    whom: lookUpWords(need.lookUp),
    take() {
      agreeTo(ask, need.lookUp);
      if (isLacking) return request;
      dismiss();
      return smaller;
    },
    dismiss,
    async lookAgain() {
      if (lackOf(await needOf(ask, comfy)) !== lack) close();
    },
  };
}

const lackOf = (need: Need) =>
  [...namesOf(need), ...need.found.tooLarge.map(({ name }) => name)].toSorted().join("\n");
