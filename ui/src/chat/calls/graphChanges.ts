import { z } from "zod";
import { type ChangeKind, changeKinds, linksInWords } from "../../shared/graphChanges";

const byName = z
  .record(z.string(), z.string())
  .transform((named) => Object.entries(named).map(([name, what]) => ({ name, what })));
/** In older chats each node is one line. */
const inLines = z.array(z.string().transform((what) => ({ name: "", what })));

const changes = z.union([byName, inLines]).default([]);
const graphChanges = z.object({ added: changes, changed: changes, removed: changes });
const changingResult = z.union([
  z
    .object({ ok: z.literal(true), data: z.object({ changes: graphChanges }) })
    .transform(({ data }) => data.changes),
  /** It failed after it had changed something. */
  z.object({ ok: z.literal(false), changes: graphChanges }).transform(({ changes }) => changes),
]);

export interface GraphChange {
  kind: ChangeKind;
  /** Path of a node, or name of a group; empty where `what` begins with it. */
  name: string;
  /** The type of a node that came or went, or what became different about it. */
  what: string;
}

/** What a tool's result says it has touched, in the order: added, changed, removed. */
export function graphChangesOf(result: unknown): GraphChange[] {
  const parsed = changingResult.safeParse(result);
  if (!parsed.success) return [];
  const told = parsed.data;
  return changeKinds.flatMap((kind) =>
    told[kind].map(({ name, what }) => ({ kind, name, what: linksInWords(what) })),
  );
}
