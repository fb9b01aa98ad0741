/** What /provider and /model can be completed with. */

import type { AssistantApi } from "../api/assistantApi";
import { listModels, listProviders, providerOf } from "../api/threadProvider";
import { shortAmount } from "../shared/amounts";
import type { Choice } from "./completions";

export const providerChoices = async ({ context }: AssistantApi): Promise<Choice[]> => [
  ...(await listProviders(context.client)).map(({ name, model, baseUrl }) => ({
    name,
    title: model.value,
    description: `${model.value} · ${baseUrl.value}`,
    isComplete: true,
  })),
  { name: "default", description: "Whichever is the default", isComplete: true },
];

/** Those of the provider that answers in the chat. */
export const modelChoices = async (
  { context: { client } }: AssistantApi,
  threadId?: string,
): Promise<Choice[]> => {
  const chosen = threadId && (await providerOf(client, threadId)).provider;
  const id = chosen || (await listProviders(client)).find(({ isDefault }) => isDefault)?.id;
  const models = id ? await listModels(client, id) : [];
  return models.map(({ id, window }) => ({
    name: id,
    description: window ? `${shortAmount(window)} tokens` : "",
    isComplete: true,
  }));
};
