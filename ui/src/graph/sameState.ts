/** Saved workflows, or parts of them, held against each other: what is the same, and what differs. */

import { isObject } from "../shared/json";

export interface Change {
  before: unknown;
  after: unknown;
}

export type Entries = Map<string, unknown>;

/** The page writes these by itself, some of them only once a state has been loaded again. */
export const layout: ReadonlySet<string> = new Set([
  ...["size", "order", "ds", "workflowRendererVersion"],
  // Of Use Everywhere, about the links of the last run.
  ...["links_added_by_ue", "ue_links"],
]);
/** They go on where anything is made, packs' own for a moment included. */
export const counters = /^(?:last.*id|revision)$/i;
export const places: ReadonlySet<string> = new Set(["pos", "bounding"]);
/** Packs write these a moment after a node was made. */
export const looksOfSlots: ReadonlySet<string> = new Set(["dir", "label", "color_on", "color_off", "shape"]);

/**
 * Links are told by the list of links alone, places to a pixel. Most of two states is the same to the letter, which is
 * found out much quicker, so that is looked at first.
 */
export function isSame(one: unknown, other: unknown, ignored?: ReadonlySet<string>): boolean {
  if (isIdentical(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => isSame(each, other[index], ignored));
  if (!isObject(one) || !isObject(other)) return false;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every(
    (key) =>
      one[key] === other[key] ||
      ignored?.has(key) ||
      isSame(told(key, one[key]), told(key, other[key]), ignored),
  );
}

/** Whether two states are the same to the letter, but for where the canvas stands: quick, where they mostly are. */
export function isIdentical(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((each, index) => isIdentical(each, other[index]))
    );
  if (!isObject(one) || !isObject(other)) return false;
  for (const key in one) if (key !== "ds" && !isIdentical(one[key], other[key])) return false;
  for (const key in other) if (key !== "ds" && !(key in one)) return false;
  return true;
}

function told(key: string, value: unknown): unknown {
  if (layout.has(key) || counters.test(key) || key === "link" || key === "linkIds") return undefined;
  if (key === "widgets_values" && Array.isArray(value) && value.length === 0) return undefined;
  if (key === "links" && !(Array.isArray(value) && typeof value[0] === "object")) return undefined;
  return places.has(key) && value ? Array.from(value as ArrayLike<number>, Math.round) : value;
}

/** The change without what it leaves as it is: small enough to keep, and taken back to the same effect. */
export function onlyDifferences({ before, after }: Change): Change {
  const [one, other] = [before, after].map(entriesOf);
  if (!one || !other || Array.isArray(before) !== Array.isArray(after)) return { before, after };
  if (isAnotherType(before, after)) return { before, after };
  const [from, to]: [Entries, Entries] = [new Map(), new Map()];
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const change = { before: one.get(key), after: other.get(key) };
    const isName = key === "id" || key === "name";
    if (!isName && isSame(change.before, change.after)) continue;
    const differences = onlyDifferences(change);
    if (one.has(key)) from.set(key, differences.before);
    if (other.has(key)) to.set(key, differences.after);
  }
  const whole = (entries: Entries) =>
    Array.isArray(before) ? [...entries.values()] : Object.fromEntries(entries);
  return { before: whole(from), after: whole(to) };
}

/** Of two nodes that have one id. */
export function isAnotherType(one: unknown, other: unknown): boolean {
  return isObject(one) && isObject(other) && "type" in one && one.type !== other.type;
}

function entriesOf(value: unknown): Entries | undefined {
  return keyed(value) ?? (isObject(value) ? new Map(Object.entries(value)) : undefined);
}

/** Lists of nodes, links, slots and the like, by what tells their entries apart; undefined for other lists. */
export function keyed(list: unknown): Entries | undefined {
  if (!Array.isArray(list)) return undefined;
  const keys = list.map((each) =>
    Array.isArray(each) ? each[0] : isObject(each) ? (each.id ?? each.name) : undefined,
  );
  const isWhole = new Set(keys).size === list.length && list.every((each) => !isPlain(each));
  return isWhole && keys.every((key) => isPlain(key) && key !== undefined)
    ? new Map(list.map((each, index) => [String(keys[index]), each]))
    : undefined;
}

export function isPlain(value: unknown): boolean {
  return value === null || typeof value !== "object";
}
