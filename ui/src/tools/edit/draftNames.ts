/** The names that a batch gives to nodes, and why nodes of the draft are gone. */

import type { NodeId } from "../../graph/graph";
import { unnamed } from "../read/references";
import { ToolError } from "../toolError";
import type { DraftGraph, Located } from "./draftGraphs";

/** Whether a batch may call something by this. */
export function isName(text: unknown): text is string {
  return typeof text === "string" && /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(text);
}

export class DraftNames {
  /** Undefined for a node that was not made, or is gone. */
  private readonly names = new Map<string, Located | undefined>();
  private readonly gone = new Map<DraftGraph, Map<NodeId, string>>();
  private created = 0;

  has(name: string): boolean {
    return this.names.has(name);
  }

  get(name: string): Located | undefined {
    return this.names.get(name);
  }

  /** Throws where the node of this name was not made, or is gone; undefined where nobody has given the name. */
  node(name: string): Located | undefined {
    const named = this.names.get(name);
    if (named || !this.names.has(name)) return named;
    const reason = [...this.gone.values()].map((gone) => gone.get(name)).find(Boolean);
    if (reason !== undefined) throw new ToolError(`"${name}" ${reason} earlier in this batch.`);
    const why = `"${name}" was not made, since the operation that names it is refused.`;
    throw new ToolError(why, undefined, [], { isConsequence: true });
  }

  give(name: string, located: Located): void {
    this.names.set(name, located);
  }

  /** Where a node that has a name here has gone. */
  move(id: NodeId, located: Located | undefined): void {
    if (this.names.has(id)) this.names.set(id, located);
  }

  /** Later operations hear that the node with this name does not exist. */
  failed(name: string): void {
    this.names.set(name, undefined);
  }

  given(): [string, Located][] {
    return [...this.names].flatMap(([name, located]): [string, Located][] =>
      located && !name.startsWith(unnamed) ? [[name, located]] : [],
    );
  }

  newId(): NodeId {
    return `${unnamed}${++this.created}`;
  }

  /** `reason` completes "Node 7 …". */
  leave(at: DraftGraph, id: NodeId, reason: string): void {
    const gone = this.gone.get(at) ?? new Map<NodeId, string>();
    this.gone.set(at, gone.set(id, reason));
  }

  /** Another node has the id now. */
  isBack(at: DraftGraph, id: NodeId): void {
    this.gone.get(at)?.delete(id);
  }

  whyGone(at: DraftGraph, id: NodeId): string | undefined {
    return this.gone.get(at)?.get(id);
  }
}
