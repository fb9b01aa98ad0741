/** Who answers in a chat: the providers and models to choose from, and the choice. */

import { z } from "zod";
import { type Client, threadRoute } from "./client";
import { type ListedModel, listedModel } from "./listedModel";
import { modelStatus } from "./replies";

const listed = z.object({
  providers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      baseUrl: z.object({ value: z.string() }),
      model: z.object({ value: z.string() }),
      isDefault: z.boolean(),
    }),
  ),
});
const models = z.object({ models: z.array(listedModel) });
const chosen = z.object({ provider: z.string(), model: z.string(), status: modelStatus });

export type ListedProvider = z.infer<typeof listed>["providers"][number];
export type Chosen = z.infer<typeof chosen>;
/** "" is the default provider, or the model that a provider has anyway. */
export type Wanted = { provider?: string; model?: string };

export async function listProviders({ read, send }: Client): Promise<ListedProvider[]> {
  return (await read(listed, send("GET", "/assistant/providers"))).providers;
}

/** What the provider's server lists; asked anew each time. */
export async function listModels({ read, send }: Client, provider: string): Promise<ListedModel[]> {
  return (await read(models, send("POST", `/assistant/providers/${encodeURIComponent(provider)}/models`, {})))
    .models;
}

export function providerOf({ read, send }: Client, threadId: string, wanted?: Wanted): Promise<Chosen> {
  const route = threadRoute(threadId, "provider");
  return read(chosen, wanted ? send("PUT", route, wanted) : send("GET", route));
}
