import type { UIMessage } from "ai";
import { z } from "zod";
import type { AssistantApi } from "../api/assistantApi";
import type { Comfy } from "../comfy/bridge";
import { type OpenWorkflow, openWorkflow } from "../tools/read/openWorkflow";
import type { Reader } from "../tools/read/sight";

/** What the `start` of a response tells of its model, for the next request of the same answer. */
const startMetadata = z.object({ custom: z.object({ slim: z.boolean() }) });

export type RequestWorkflow = (
  reader: Reader,
  messages: readonly UIMessage[],
) => Promise<OpenWorkflow | undefined>;

/**
 * What a request tells the server of the open workflow: something with each new message, and to a small model the whole
 * graph with each request. The server is asked which one it is where no response of the answer has told it here.
 */
export function createRequestWorkflow(comfy: Comfy, status: AssistantApi["status"]): RequestWorkflow {
  return async (reader, messages) => {
    const last = messages.at(-1);
    const isNew = last?.role === "user";
    const told = isNew ? undefined : startMetadata.safeParse(last?.metadata).data?.custom.slim;
    const isShown = told ?? (await isSlim(reader.thread));
    return isNew || isShown ? openWorkflow(comfy, reader, { isShown }) : undefined;
  };

  async function isSlim(thread: string | undefined): Promise<boolean> {
    const reply = await status(undefined, thread);
    return reply.ok && reply.model.slim;
  }
}
