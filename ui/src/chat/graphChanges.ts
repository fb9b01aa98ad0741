import { z } from "zod";

/** "12 KSampler" as its id and the rest. */
const inWords = z.string().transform((words) => {
  const [id = "", ...rest] = words.split(" ");
  return { id, what: rest.join(" ") };
});
const node = z
  .object({ id: z.coerce.string(), type: z.string() })
  .transform(({ id, type }) => ({ id, what: type }));
const change = z.object({ id: z.coerce.string(), what: z.string() });

const graphChanges = z.object({
  added: z.array(z.union([inWords, node])).default([]),
  changed: z.array(z.union([inWords, change])).default([]),
  removed: z.array(z.union([inWords, node])).default([]),
});

const changingResult = z.object({ ok: z.literal(true), data: z.object({ changes: graphChanges }) });

export interface GraphChange {
  kind: "added" | "changed" | "removed";
  id: string;
  /** The type of a node that came or went, or what became different about it. */
  what: string;
}

/** The nodes that a tool's result says it has touched, in the order: added, changed, removed. */
export function graphChangesOf(result: unknown): GraphChange[] {
  const parsed = changingResult.safeParse(result);
  if (!parsed.success) return [];
  const { added, changed, removed } = parsed.data.data.changes;
  return [
    ...added.map((each) => ({ kind: "added" as const, ...each })),
    ...changed.map((each) => ({ kind: "changed" as const, ...each })),
    ...removed.map((each) => ({ kind: "removed" as const, ...each })),
  ];
}
