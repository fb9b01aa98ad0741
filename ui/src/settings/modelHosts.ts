import { z } from "zod";
import type { AssistantApi } from "../api/assistantApi";

const reply = z.object({
  hosts: z.array(
    z.object({
      origin: z.string(),
      name: z.string(),
      source: z.enum(["built-in", "environment", "settings"]),
      token: z.object({ set: z.boolean(), last4: z.string() }),
    }),
  ),
});

export type ModelHost = z.output<typeof reply>["hosts"][number];

/** `token`: a new one, or "" to take it away. `listed`: false takes the host off the list, its token too. */
export interface HostChange {
  host: string;
  token?: string;
  listed?: false;
}

const route = "/assistant/models/hosts";

/** The hosts that model files may come from; with a change, as they are after it. */
export async function modelHosts(api: AssistantApi, change?: HostChange): Promise<ModelHost[]> {
  const response = await (change ? api.send("PUT", route, change) : api.send("GET", route));
  return reply.parse(await response.json()).hosts;
}

/** A token is never shown, only that there is one. */
export function tokenWords({ token }: ModelHost): string {
  if (!token.set) return "no token";
  return token.last4 ? `token …${token.last4}` : "token set";
}
