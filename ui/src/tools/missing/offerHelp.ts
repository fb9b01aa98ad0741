/** The assistant's help with a workflow that lacks something, offered once for each such lack. */

import type { Comfy } from "../../comfy/bridge";
import { addToStoredList, storedList } from "../../shared/storedList";
import type { Ask } from "./ask";
import { agreeTo, lookUpWords } from "./lookUp";
import { lackWords, type Need, namesOf, needOf } from "./need";

export interface HelpOffer {
  /** What the workflow lacks. */
  lacks: string;
  /** Who is asked for what when the person takes the offer, all of it; empty where nobody has to be asked. */
  whom: string;
  /** What the assistant is asked then. */
  take(): string;
  dismiss(): void;
  /** Closes it where the workflow lacks something else by now. */
  lookAgain(): Promise<void>;
}

const request =
  "Make this workflow run here: get the models and nodes that it lacks with findMissing, then run it.";
const key = "comfyui-assistant.left-missing";
const mostKept = 50;

/** Undefined where nothing is missing, or the person has taken or dismissed the same offer before. */
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
  return {
    lacks: lackWords(need),
    whom: lookUpWords(need.lookUp),
    take() {
      agreeTo(ask, need.lookUp);
      dismiss();
      return request;
    },
    dismiss,
    async lookAgain() {
      if (lackOf(await needOf(ask, comfy)) !== lack) close();
    },
  };
}

const lackOf = (need: Need) => namesOf(need).toSorted().join("\n");
