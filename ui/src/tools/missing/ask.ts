/** Requests to the server of this page, and what goes wrong with them as values. */

import { z } from "zod";
import { cut } from "../../shared/cut";
import { ToolError } from "../toolError";

export type Reply =
  | { ok: true; value: unknown }
  | { ok: false; status: number; code: string; message: string; hint?: string };

/** `value` is JSON, or else text. */
export type Ask = (method: string, route: string, body?: unknown) => Promise<Reply>;

/** Throws a ToolError with what the server says. */
export async function askFor<Schema extends z.ZodType>(
  schema: Schema,
  reply: Promise<Reply>,
): Promise<z.output<Schema>> {
  const answer = await reply;
  if (!answer.ok) throw new ToolError(answer.message, answer.hint);
  const parsed = schema.safeParse(answer.value);
  if (!parsed.success) throw new ToolError("The server answered in another form than expected.");
  return parsed.data;
}

/** What comes from outside, without signs that cannot be seen or turn the text around. */
export function plain(text: string): string {
  return text.replaceAll(/\p{C}+/gu, " ").trim();
}

const longestName = 80;

/** Of a file or type, which a stranger's workflow may make as long as it likes. */
export const shortName = (name: string) => cut(plain(name), longestName);

export function sizeWords(bytes: number | null): string {
  if (bytes === null) return "unknown size";
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`;
}

export const file = z.object({
  file: z.string(),
  folder: z.string(),
  url: z.string(),
  sha256: z.string(),
});
export type ModelSource = z.output<typeof file>;

const variant = file.extend({ isInstalled: z.boolean() });

export const report = z.object({
  packages: z.array(
    z.object({
      id: z.string(),
      version: z.string(),
      types: z.array(z.string()),
      isCore: z.boolean(),
      isInstalled: z.boolean(),
      failed: z.record(z.string(), z.string()).optional(),
    }),
  ),
  /** Types that are not installed, with those that ComfyUI has in their place. */
  replaced: z.array(z.object({ type: z.string(), by: z.string() })).default([]),
  models: z.array(
    file.extend({
      name: z.string(),
      nodes: z.array(z.string()),
      moreNodes: z.number().default(0),
      /** Of these nodes. */
      types: z.array(z.string()),
      /** A note of the workflow names the source. */
      isFromNote: z.boolean().optional(),
      /** It is installed under another path: `instead`. */
      isElsewhere: z.boolean().optional(),
      instead: z.array(z.string()),
      variants: z.array(variant),
    }),
  ),
  /** How many there are beyond these. */
  more: z.object({ packages: z.number().optional(), models: z.number().optional() }).optional(),
  /** Packages that are installed older than the workflow was made with. */
  outdated: z.array(z.object({ id: z.string(), installed: z.string(), named: z.string() })).optional(),
  memory: z.number().nullable(),
  /** Model files that the workflow takes, in bytes, the largest first. */
  installed: z.array(z.object({ file: z.string(), size: z.number() })).default([]),
  tooLarge: z.array(
    z.object({
      name: z.string(),
      file: z.string(),
      folder: z.string(),
      size: z.number(),
      variants: z.array(variant),
    }),
  ),
});
export type Report = z.output<typeof report>;

export const registered = z.object({
  id: z.string(),
  name: z.string(),
  author: z.string(),
  publisher: z.string(),
  repository: z.string(),
  version: z.string(),
  updated: z.string(),
  downloads: z.number(),
});
export type Registered = z.output<typeof registered>;

export const offer = z.object({
  id: z.string(),
  file: z.string(),
  folder: z.string(),
  host: z.string(),
  url: z.string(),
  size: z.number().nullable(),
  licence: z.string(),
  isChecked: z.boolean(),
  isPickle: z.boolean(),
  free: z.number(),
});
export type Offer = z.output<typeof offer>;
