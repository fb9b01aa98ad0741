/** Model files: offered, allowed by the person in words that name each, and fetched one after the other. */

import { z } from "zod";
import { sentences } from "../../shared/sentences";
import { createStore } from "../../shared/store";
import type { ToolContext } from "../tool";
import { ToolError } from "../toolError";
import { type Ask, askFor, type ModelSource, type Offer, offer, plain, sizeWords } from "./ask";
import type { Refused } from "./lines";
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
 * `closed` says why no more is asked of one; empty, where only no token is given to it. `unreachable` is a host to which
 * there is no connection.
 */
export async function offerOf(
  ask: Ask,
  source: ModelSource,
  context: ToolContext,
  closed = new Map<string, Refused>(),
): Promise<Offer | Refused> {
  const { file, folder, url, sha256 } = source;
  const origin = URL.canParse(url) ? new URL(url).origin : url;
  const known = closed.get(origin);
  if (known?.refused) return known;
  for (let tries = 0; ; tries++) {
    const reply = await ask("POST", "/assistant/models/offers", { folder, url, sha256, name: file });
    if (reply.ok) return offer.parse(reply.value);
    const mend = { token_needed: giveToken, host_not_listed: trustHost }[reply.code];
    const isMended = tries < 2 && mend && !closed.has(origin) && (await mend(ask, source, context));
    if (isMended) continue;
    const refused: Refused = {
      refused: sentences(reply.message, reply.hint),
      ...(reply.code === "host_unreachable" && { unreachable: new URL(origin).host }),
    };
    if (mend || ofWholeHost.has(reply.code))
      closed.set(origin, ofWholeHost.has(reply.code) ? refused : { refused: "" });
    return refused;
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

/** A download that the server has begun, or begins when those before it are over. */
export const begun = z.object({ id: z.string(), file: z.string(), folder: z.string() });
export type Begun = z.output<typeof begun>;

/** What was said yes to, at once, since an offer does not last as long as the files before it may take. */
export async function begin(ask: Ask, { id, file, folder, isPickle }: Offer): Promise<Begun> {
  const reply = ask("POST", "/assistant/models/downloads", { offer: id, allowPickle: isPickle });
  return { id: (await askFor(download, reply)).id, file, folder };
}

/** One after the other, as it came, or with why it did not come. Stop takes all of them away. */
export async function* arrivals<Each extends Begun>(
  ask: Ask,
  all: readonly Each[],
  { signal, onProgress, hasDone }: ToolContext,
): AsyncGenerator<{ begun: Each; failure?: unknown }> {
  const routeOf = ({ id }: Begun) => `/assistant/models/downloads/${id}`;
  // From the last one, since each begins when the one before it is over.
  const stop = async () => {
    for (const each of all.toReversed()) await ask("DELETE", routeOf(each));
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) void stop();
  try {
    for (const [index, begun] of all.entries()) {
      const which = all.length > 1 ? `${index + 1} of ${all.length}, ` : "";
      try {
        await arrival(ask, routeOf(begun), begun, (received, size, words) =>
          onProgress({
            text: `${which}${begun.file}: ${words}`,
            ...(size && { fraction: received / size }),
          }),
        );
        hasDone?.(`downloaded ${begun.file} into ${begun.folder}`);
        yield { begun };
      } catch (failure) {
        yield { begun, failure };
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function arrival(
  ask: Ask,
  route: string,
  { file }: Begun,
  tell: (received: number, size: number | null, words: string) => void,
): Promise<void> {
  for (;;) {
    const { state, received, size, error } = await askFor(download, ask("GET", route));
    if (state === "done") return;
    if (state === "failed" || state === "stopped")
      throw new ToolError(error?.message ?? `${file} was stopped; nothing was kept of it.`, error?.hint);
    tell(received, size, state === "checking" ? "checking" : `${sizeWords(received)} of ${sizeWords(size)}`);
    await new Promise((resolve) => setTimeout(resolve, lookAgainAfter));
  }
}
