import { describe, expect, it } from "vitest";
import { freePlace, type Rectangle } from "./placement";

const box = (x: number, y: number, width = 200, height = 100): Rectangle => ({ x, y, width, height });
const size = { width: 200, height: 100 };
const view = box(0, 0, 1000, 500);

describe("the place of a new node", () => {
  it.each<[string, Parameters<typeof freePlace>[1], { x: number; y: number }]>([
    ["is the view's corner on an empty canvas", { occupied: [], view }, { x: 40, y: 40 }],
    ["is the origin's corner when the view is unknown", { occupied: [] }, { x: 40, y: 40 }],
    [
      "is to the right of the anchor, in its row",
      { occupied: [box(40, 40)], anchor: box(40, 40), view },
      { x: 280, y: 40 },
    ],
    [
      "is below the node that stands to the right of the anchor",
      { occupied: [box(40, 40), box(280, 40)], anchor: box(40, 40), view },
      { x: 280, y: 180 },
    ],
    [
      "is in a new row when the row ends at the edge of the view",
      { occupied: [box(40, 40), box(780, 40)], anchor: box(780, 40), view },
      { x: 40, y: 180 },
    ],
    [
      "leaves the view, right of the anchor, when the view is full",
      { occupied: [box(0, 0, 1000, 500)], anchor: box(0, 0, 1000, 500), view },
      { x: 1040, y: 0 },
    ],
    ["stands on the grid", { occupied: [box(43, 47)], anchor: box(43, 47), view }, { x: 290, y: 50 }],
  ])("%s", (_, around, expected) => {
    expect(freePlace(size, around)).toEqual(expected);
  });

  it("never overlaps another node, however many are added after one another", () => {
    const occupied: Rectangle[] = [];
    for (let count = 0; count < 40; count++) {
      const place = { ...freePlace(size, { occupied, anchor: occupied.at(-1), view }), ...size };
      for (const other of occupied)
        expect(
          place.x < other.x + other.width &&
            other.x < place.x + place.width &&
            place.y < other.y + other.height &&
            other.y < place.y + place.height,
        ).toBe(false);
      occupied.push(place);
    }
  });
});
