/** Model files: offered, allowed by the person in words that name each, and fetched one after the other. */

import { z } from "zod";
import { createStore } from "../../shared/store";
import type { ToolContext } from "../tool";
import { ToolError } from "../toolError";
import { type Ask, askFor, type ModelSource, type Offer, offer, plain, sizeWords } from "./ask";
import { TokenField } from "./TokenField";

const download = z.object({
  id: z.string(),
  state: z.enum(["waiting", "running", "checking", "done", "failed", "stopped"]),
  received: z.number(),
  size: z.number().nullable(),
  error: z.object({ message: z.string(), hint: z.string().optional() }).optional(),
});

const lookAgainAfter = 300;

/** What holds for all files of a host: that it does not answer, or that the person does not want it. */
const ofWholeHost = new Set(["host_unreachable", "host_not_listed"]);

/**
 * An offer, or why there is none. Asks the person for a token, or whether a new host is to be trusted, each host once:
 * `closed` says why no more is asked of one; empty, where only no token is given to it.
 */
export async function offerOf(
  ask: Ask,
  source: ModelSource,
  context: ToolContext,
  closed = new Map<string, string>(),
): Promise<Offer | { refused: string }> {
  const { file, folder, url, sha256 } = source;
  const origin = URL.canParse(url) ? new URL(url).origin : url;
  const known = closed.get(origin);
  if (known) return { refused: known };
  for (let tries = 0; ; tries++) {
    const reply = await ask("POST", "/assistant/models/offers", { folder, url, sha256, name: file });
    if (reply.ok) return offer.parse(reply.value);
    const mend = { token_needed: giveToken, host_not_listed: trustHost }[reply.code];
    const isMended = tries < 2 && mend && !closed.has(origin) && (await mend(ask, source, context));
    if (isMended) continue;
    const why = [reply.message, reply.hint].filter(Boolean).join(" ");
    if (mend || ofWholeHost.has(reply.code)) closed.set(origin, ofWholeHost.has(reply.code) ? why : "");
    return { refused: why };
  }
}

/** The token goes to the server and stays there. */
async function giveToken(ask: Ask, { url, file }: ModelSource, context: ToolContext): Promise<boolean> {
  const token = createStore("");
  const { origin, host } = new URL(url);
  const isGiven = await context.confirm({
    title: `${host} hands out ${file || "the file"} only with a token. Enter one?`,
    detail: `Accept the model's terms on ${host} and make a token there. It is kept on the server and sent to ${host} alone.`,
    always: true,
    allow: "Save",
    body: <TokenField token={token} host={host} />,
  });
  if (!isGiven || !token.get()) return false;
  await askFor(z.unknown(), ask("PUT", "/assistant/models/hosts", { host: origin, token: token.get() }));
  return true;
}

async function trustHost(ask: Ask, { url }: ModelSource, context: ToolContext): Promise<boolean> {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol !== "https:") return false;
  const isTrusted = await context.confirm({
    title: `Trust ${address.host} as a source of model files?`,
    detail: `The file is at ${plain(url)}. The host is put on the list, until you take it away.`,
    always: true,
  });
  if (!isTrusted) return false;
  await askFor(z.unknown(), ask("PUT", "/assistant/models/hosts", { host: address.origin }));
  return true;
}

/** Everything that a yes is to. */
export function offerWords({ file, size, host, folder, licence, isChecked }: Offer, memory: number | null) {
  const isLarge = memory !== null && size !== null && size > memory;
  return [
    `${file}: ${sizeWords(size)} from ${host} into ${folder}, ${licence ? `licence ${plain(licence)}` : "licence unknown"}`,
    ...(isChecked ? [] : ["no hash to check it by"]),
    ...(isLarge ? [`larger than this device's memory of ${sizeWords(memory)}`] : []),
  ].join("; ");
}

/** A yes of its own for each, in every mode. */
export async function allowsPickle(context: ToolContext, { file, host }: Offer): Promise<boolean> {
  return context.confirm({
    title: `${file} is a pickle. Fetch it all the same?`,
    detail: `A pickle can run any code on this machine when it is loaded. Only go on if you trust whoever put it on ${host}.`,
    always: true,
    allow: "Fetch the pickle",
  });
}

/** Throws a ToolError with why it did not come. */
export async function fetchOffered(
  ask: Ask,
  { id, file, isPickle }: Offer,
  { signal, onProgress }: ToolContext,
): Promise<void> {
  const begun = ask("POST", "/assistant/models/downloads", { offer: id, allowPickle: isPickle });
  let now = await askFor(download, begun);
  const route = `/assistant/models/downloads/${now.id}`;
  const stop = () => void ask("DELETE", route);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    while (now.state !== "done") {
      if (now.state === "failed" || now.state === "stopped")
        throw new ToolError(
          now.error?.message ?? `${file} was stopped; nothing was kept of it.`,
          now.error?.hint,
        );
      onProgress({
        text: `${file}: ${now.state === "checking" ? "checking" : `${sizeWords(now.received)} of ${sizeWords(now.size)}`}`,
        ...(now.size && { fraction: now.received / now.size }),
      });
      await new Promise((resolve) => setTimeout(resolve, lookAgainAfter));
      now = await askFor(download, ask("GET", route));
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
