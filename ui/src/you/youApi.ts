import { z } from "zod";
import type { AssistantApi } from "../api/assistantApi";
import { type Flaw, flaw } from "../api/flaws";

const entry = z.object({
  text: z.string(),
  value: z.string().default(""),
  source: z.enum(["file", "remembered"]),
  isOn: z.boolean(),
  repeats: z.boolean().default(false),
});
const ownDocument = z.object({
  name: z.enum(["goals", "persona", "base"]),
  text: z.string(),
  source: z.string(),
  isOwn: z.boolean(),
  isOn: z.boolean(),
  problem: z.string().default(""),
});
const part = z.object({ text: z.string(), tokens: z.number() });
const reply = z.object({
  rules: z.array(entry),
  preferences: z.array(entry),
  documents: z.array(ownDocument),
  diagnostics: z.array(flaw),
  told: z.object({
    form: z.string(),
    window: z.number().nullable(),
    system: part,
    reminder: part,
    systemTokens: z.number(),
    leftOut: z.array(z.object({ source: z.string(), amount: z.number(), unit: z.string() })),
  }),
});

export type You = z.output<typeof reply>;
export type Entry = z.output<typeof entry>;
export type OwnDocument = z.output<typeof ownDocument>;
export type Kind = "rules" | "preferences";

/** `before` is the text of the entry that it shall stand before, "" for the end. */
export interface EntryChange {
  newText?: string;
  value?: string;
  isOn?: boolean;
  before?: string;
  /** With each message. */
  repeats?: boolean;
}

const route = "/assistant/you";

/** What the person tells the assistant, as the server keeps it. */
export function createYouApi({ send }: Pick<AssistantApi, "send">) {
  return {
    all: async (): Promise<You> => reply.parse(await (await send("GET", route)).json()),
    add: (kind: Kind, text: string, value?: string) =>
      send("POST", `${route}/${kind}`, { text, ...(value && { value }) }),
    change: (kind: Kind, text: string, change: EntryChange) =>
      send("PATCH", `${route}/${kind}`, { text, ...change }),
    forget: (kind: Kind, text: string) => send("DELETE", `${route}/${kind}`, { text }),
    /** "" takes the person's own text away. `seen` is what it shall replace. */
    write: (name: OwnDocument["name"], text: string, seen: string) =>
      send("PATCH", `${route}/documents/${name}`, { text, seen }),
    turn: (name: OwnDocument["name"], isOn: boolean) => send("PATCH", `${route}/documents/${name}`, { isOn }),
  };
}

export type YouApi = ReturnType<typeof createYouApi>;

/** What is wrong with the file of this name, in whichever folder. */
export function flawsOf(you: You, file: string): Flaw[] {
  return you.diagnostics.filter(({ path }) => path.split("/").at(-1) === file);
}

/** Puts an entry that was deleted back where it stood. */
export async function putBack(api: YouApi, kind: Kind, entries: readonly Entry[], gone: Entry) {
  const next = entries[entries.findIndex(({ text }) => text === gone.text) + 1];
  await api.add(kind, gone.text, gone.value);
  const change = { isOn: gone.isOn, before: next?.text ?? "" };
  await api.change(kind, gone.text, gone.repeats ? { ...change, repeats: true } : change);
}

/** The entry before which one has to stand to be a place higher or lower; undefined where it cannot. */
export function placeBefore(entries: readonly Entry[], index: number, step: -1 | 1): string | undefined {
  if (!entries[index + step]) return undefined;
  return step < 0 ? entries[index - 1]?.text : (entries[index + 2]?.text ?? "");
}
