/** Where blocks stand while they are moved about. */

import type { Block } from "./blocks";
import type { Point, Rectangle } from "./graph";
import { bounds, shifted } from "./placement";

export interface BlockPlace {
  /** How far from where it stood. */
  by: Point;
  /** Its nodes and frames there. */
  boxes: readonly Rectangle[];
}

export type BlockPlaces = Map<Block, BlockPlace>;

/** What blocks are moved about in. */
export interface Around {
  /** What else stands there. */
  obstacles: readonly Rectangle[];
  /** What moves stays within. */
  room?: Rectangle | undefined;
  /** In which it lies. */
  frame?: Rectangle | undefined;
}

export function standing(blocks: readonly Block[]): BlockPlaces {
  return new Map(
    blocks.map((block) => {
      const inside = [...block.nodes.values(), ...block.frames.values()];
      return [block, { by: { x: 0, y: 0 }, boxes: inside.map((each) => shifted(each, block.box)) }];
    }),
  );
}

export function cornersOf(places: BlockPlaces): Map<Block, Point> {
  return new Map(
    [...places].map(([block, { by }]) => [block, { x: block.box.x + by.x, y: block.box.y + by.y }]),
  );
}

export function movedTo(place: BlockPlace, { x, y }: Point): BlockPlace {
  const now = bounds(place.boxes);
  return movedBy(place, { x: x - now.x, y: y - now.y });
}

export function movedBy({ by, boxes }: BlockPlace, more: Point): BlockPlace {
  return { by: { x: by.x + more.x, y: by.y + more.y }, boxes: boxes.map((box) => shifted(box, more)) };
}
