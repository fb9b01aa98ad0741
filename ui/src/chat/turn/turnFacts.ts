import { z } from "zod";
import { amountOf } from "../../shared/amounts";
import { type ChangeKind, changeKinds } from "../../shared/graphChanges";
import { type GraphChange, graphChangesOf } from "../calls/graphChanges";

/** What the calls of an answer have done, whatever its text says. */
export interface TurnFacts {
  /** One line, such as "Changed 3 nodes · ran once · 2 pictures". */
  words: string;
  /** Of each node and group the last, without those that came and went. */
  changes: readonly GraphChange[];
}

const run = z.object({
  status: z.enum(["success", "failed", "ended"]),
  /** Seeds in whose place others were drawn. */
  used: z.array(z.string()).default([]),
  outputs: z
    .array(
      z.object({
        isCached: z.boolean().optional(),
        files: z.array(z.object({ kind: z.string() })).default([]),
      }),
    )
    .default([]),
});

/** What results tell beside `changes`. */
const done = z.object({
  ok: z.literal(true),
  data: z.object({
    /** Of very many changed nodes, those that `changes` leaves out. */
    notNamed: z.number().optional(),
    /** Nodes that were only arranged. */
    moved: z.number().optional(),
    /** Of the workflow that was read or loaded. */
    nodes: z.number().optional().catch(undefined),
    changes: z.unknown().optional(),
    runs: z.array(run).optional(),
    ...run.partial().shape,
  }),
});

interface Call {
  toolName: string;
  result?: unknown;
}

/** `calls` are the answer's, in their order. */
export function turnFacts(calls: readonly Call[]): TurnFacts {
  const all = calls.map(({ toolName, result }) => ({
    changes: graphChangesOf(result),
    told: done.safeParse(result).data?.data,
    toolName,
  }));
  // What was changed before another workflow took the place of the open one is there no more.
  const load = all.findLastIndex(
    ({ toolName, told }) =>
      toolName === "applyWorkflow" && told?.nodes !== undefined && told.changes === undefined,
  );
  const net = netChanges(all.slice(load + 1).flatMap(({ changes }) => changes));
  const told = all.flatMap((each) => each.told ?? []);
  const [movedOnly, changes] = [net.filter(isMove), net.filter((change) => !isMove(change))];
  const sum = (of: (each: (typeof told)[number]) => number | undefined) =>
    told.reduce((total, each) => total + (of(each) ?? 0), 0);
  const runs = told.flatMap(
    ({ status, outputs = [], used = [], runs: several }) =>
      several ?? (status ? [{ status, outputs, used }] : []),
  );
  const ran = runs.filter(({ status }) => status === "success");
  const changed = [
    ...counted(all[load]?.told?.nodes ?? 0, (count) => `loaded a workflow of ${amountOf(count, "node")}`),
    ...changeWords(
      changes,
      sum(({ notNamed }) => notNamed),
    ),
    ...counted(movedOnly.length + sum(({ moved }) => moved), (count) => `moved ${amountOf(count, "node")}`),
  ];
  const isSame = changed.length === 0 && runs.every(({ used }) => used.length === 0);
  const clauses = [
    ...(isSame ? ["nothing in the workflow was changed"] : changed),
    ...counted(ran.length, (count) => (count === 1 ? "ran once" : `ran ${count.toLocaleString("en")} times`)),
    ...fileWords(ran.flatMap(({ outputs }) => outputs.flatMap((each) => (each.isCached ? [] : each.files)))),
  ];
  const words = clauses.join(" · ");
  return { words: `${words.charAt(0).toUpperCase()}${words.slice(1)}`, changes };
}

function isMove({ kind, what }: GraphChange): boolean {
  return kind === "changed" && /^\S+ moved$/.test(what);
}

function netChanges(all: readonly GraphChange[]): GraphChange[] {
  const net = new Map<string, GraphChange>();
  for (const change of all) {
    // In older chats the one word begins with what names the node.
    const key = change.name || change.what;
    const before = net.get(key);
    const isGone = before?.kind === "added" && change.kind === "removed";
    const isTakenBack = before?.kind === "changed" && change.what === inverse(before.what);
    if (isGone || isTakenBack) net.delete(key);
    else net.set(key, { ...change, kind: joined(before?.kind, change.kind) });
  }
  return [...net.values()];
}

/** `KSampler cfg=8→4` for `KSampler cfg=4→8`; undefined for what is no change of values. */
function inverse(what: string): string | undefined {
  const back = what.replaceAll(/(\S+)=(\S+)→(\S+)/g, "$1=$3→$2");
  return back === what ? undefined : back;
}

function joined(before: ChangeKind | undefined, now: ChangeKind): ChangeKind {
  if (before === "added" && now === "changed") return "added";
  if (before === "removed" && now === "added") return "changed";
  return now;
}

function changeWords(changes: readonly GraphChange[], notNamed: number): string[] {
  if (notNamed > 0) return [`changed ${amountOf(changes.length + notNamed, "node")}`];
  return changeKinds.flatMap((kind) => {
    const those = changes.filter((change) => change.kind === kind);
    const groups = those.filter(({ name }) => name.startsWith("group ")).length;
    const things = [
      ...counted(those.length - groups, (count) => amountOf(count, "node")),
      ...counted(groups, (count) => amountOf(count, "group")),
    ];
    return things.length > 0 ? [`${kind} ${things.join(" and ")}`] : [];
  });
}

const fileNouns: readonly (readonly [kind: string, noun: string])[] = [
  ["image", "picture"],
  ["video", "video"],
  ["audio", "audio file"],
  ["other", "other file"],
];

function fileWords(files: readonly { kind: string }[]): string[] {
  return fileNouns.flatMap(([kind, noun]) =>
    counted(files.filter((file) => file.kind === kind).length, (count) => amountOf(count, noun)),
  );
}

function counted(count: number, words: (count: number) => string): string[] {
  return count > 0 ? [words(count)] : [];
}
