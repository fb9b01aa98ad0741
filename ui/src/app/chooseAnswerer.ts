import type { ContextApi } from "../api/contextApi";
import { providerOf, type Wanted } from "../api/threadProvider";
import type { Outcome } from "./threadActions";

/** Has another provider or model answer in a chat, and tells who that is. */
export async function chooseAnswerer(wanted: Wanted, threadId: string, api: ContextApi): Promise<Outcome> {
  const { provider, model } = await providerOf(api.client, threadId);
  const { status } = await providerOf(api.client, threadId, wanted);
  return {
    text: `${status.label} answers in this chat from now on.`,
    undo: () => chooseAnswerer({ provider, model }, threadId, api),
  };
}
