/** Frames of groups: around their nodes, and around the frames within. */

import type { Graph, GraphGroup, NodeId, Rectangle } from "./graph";
import { bounds, contains, outline } from "./placement";

export const framePadding = 10;
/** Above the nodes, with the group's title. */
export const frameHeading = 40;

/** `boxes` are nodes with their title bars, and frames. */
export function frameAround(boxes: readonly Rectangle[]): Rectangle {
  const { x, y, width, height } = bounds(boxes);
  return {
    x: x - framePadding,
    y: y - frameHeading,
    width: width + 2 * framePadding,
    height: height + frameHeading + framePadding,
  };
}

/** What of a frame is for what lies in it. */
export function insideOf({ x, y, width, height }: Rectangle): Rectangle {
  return {
    x: x + framePadding,
    y: y + frameHeading,
    width: width - 2 * framePadding,
    height: height - frameHeading - framePadding,
  };
}

/** The frame as it is, but for the sides where something sticks out. */
export function frameGrown(frame: Rectangle, boxes: readonly Rectangle[]): Rectangle {
  if (boxes.every((box) => contains(frame, box))) return frame;
  const around = frameAround(boxes);
  const inner = bounds(boxes);
  const [right, bottom] = [frame.x + frame.width, frame.y + frame.height];
  const x = inner.x < frame.x ? around.x : frame.x;
  const y = inner.y < frame.y ? around.y : frame.y;
  return {
    x,
    y,
    width: Math.max(right, inner.x + inner.width > right ? around.x + around.width : right) - x,
    height: Math.max(bottom, inner.y + inner.height > bottom ? around.y + around.height : bottom) - y,
  };
}

/** Whether one group lies in another; of two with the same nodes, that with the smaller frame. */
export function isGroupWithin(inner: GraphGroup, outer: GraphGroup): boolean {
  if (inner === outer) return false;
  const isFramed = inner.bounds && outer.bounds ? contains(outer.bounds, inner.bounds) : false;
  if (inner.nodes.length === 0) return isFramed;
  const isPart = inner.nodes.every((id) => outer.nodes.includes(id));
  return isPart && (inner.nodes.length < outer.nodes.length || (isFramed && !isSameFrame(inner, outer)));
}

/** Around these nodes, and the frames of groups that have no others. */
export function frameOf(graph: Pick<Graph, "nodes" | "groups">, ids: readonly NodeId[]): Rectangle {
  const whole = { title: "", nodes: [...ids] };
  const within = graph.groups.filter(
    (group) => group.nodes.length > 0 && group.nodes.every((id) => whole.nodes.includes(id)),
  );
  return frameAround([
    ...graph.nodes.filter(({ id }) => ids.includes(id)).map(outline),
    ...within.flatMap(({ bounds: box }) => box ?? []),
  ]);
}

function isSameFrame({ bounds: one }: GraphGroup, { bounds: other }: GraphGroup): boolean {
  return one !== undefined && other !== undefined && contains(one, other) && contains(other, one);
}
