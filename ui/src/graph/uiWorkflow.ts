/** A workflow as ComfyUI's frontends save it (`workflow.json`), as far as it tells what is run. */

import type { Json, NodeMode, Rectangle } from "./graph";

export type JsonObject = { [key: string]: Json };

export interface UiGraph {
  nodes: UiNode[];
  links: UiLink[];
  groups?: UiGroup[];
}

export interface UiWorkflow extends UiGraph {
  definitions?: { subgraphs?: UiSubgraph[] };
}

export interface UiSubgraph extends UiGraph {
  id: string;
  name: string;
  inputs?: UiPort[];
  outputs?: UiPort[];
}

export interface UiPort {
  name: string;
  /** What people see in place of the name. */
  label?: string | null;
  type: string | number;
  linkIds?: (number | string)[];
}

/** Of a slot: empty where people see its name. */
export function labelOf(slot: { name: string; label?: string | null } | undefined): { label?: string } {
  return slot?.label && slot.label !== slot.name ? { label: slot.label } : {};
}

export interface UiNode {
  id: number | string;
  type: string;
  title?: string;
  mode?: number;
  color?: string;
  flags?: { collapsed?: boolean };
  pos?: ArrayLike<number> | Record<string, number>;
  size?: ArrayLike<number> | Record<string, number>;
  inputs?: UiInput[];
  outputs?: UiOutput[];
  properties?: Record<string, unknown>;
  widgets_values?: unknown;
  /** The same by name, as newer pages save it beside. */
  widgets_values_named?: unknown;
}

export interface UiInput {
  name: string;
  type?: string | number;
  link?: number | string | null;
  widget?: { name?: string };
  shape?: number;
}

export interface UiOutput {
  name: string;
  type?: string | number;
  links?: (number | string)[] | null;
}

/** Arrays in the workflow itself, objects inside subgraphs. */
export type UiLink =
  | readonly [
      id: number,
      origin: number | string,
      slot: number,
      target: number | string,
      input: number,
      type: Json,
    ]
  | UiLinkObject;

export interface UiLinkObject {
  id: number | string;
  origin_id: number | string;
  origin_slot: number;
  target_id: number | string;
  target_slot: number;
  type?: Json;
}

export interface UiGroup {
  title: string;
  /** x, y, width, height. */
  bounding: ArrayLike<number>;
  color?: string;
}

/** Ids of a subgraph's edges in its links. */
export const inputEdgeId = "-10";
export const outputEdgeId = "-20";

export const uiModes = { active: 0, muted: 2, bypassed: 4 } as const;

export function nodeMode(saved: number | undefined): NodeMode {
  if (saved === uiModes.muted) return "muted";
  return saved === uiModes.bypassed ? "bypassed" : "active";
}

export function linkObject(link: UiLink): UiLinkObject {
  if (!isArrayLink(link)) return link;
  const [id, origin_id, origin_slot, target_id, target_slot, type] = link;
  return { id, origin_id, origin_slot, target_id, target_slot, type };
}

function isArrayLink(link: UiLink): link is Extract<UiLink, readonly unknown[]> {
  return Array.isArray(link);
}

export function rectangle(position: UiNode["pos"], size: UiNode["size"]): Rectangle {
  const [x, y] = pair(position, [0, 0]);
  const [width, height] = pair(size, [0, 0]);
  return { x, y, width, height };
}

/** Positions and sizes are arrays, typed arrays, or objects of numbered keys. */
export function pair(numbers: UiNode["pos"], otherwise: readonly [number, number]): [number, number] {
  if (numbers === undefined || numbers === null) return [...otherwise];
  const indexed = numbers as Record<number, number | undefined>;
  return [indexed[0] ?? otherwise[0], indexed[1] ?? otherwise[1]];
}
