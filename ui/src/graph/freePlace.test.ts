import { expect, it } from "vitest";
import { nearestFree } from "./freePlace";

it.each([
  ["left", { x: 150.4, y: 0.4, width: 400.4, height: 100.4 }, { x: -70, y: 0 }],
  ["right", { x: -390.6, y: 0.4, width: 400.7, height: 100.4 }, { x: 31, y: 0 }],
  ["below", { x: -100.5, y: -95.2, width: 400, height: 100.4 }, { x: 0, y: 26 }],
  ["above", { x: -100.5, y: 95.2, width: 400, height: 100.4 }, { x: 0, y: -25 }],
])("is found %s of what lies at no whole pixel", (_, obstacle, place) => {
  const box = { x: 0, y: 0, width: 200, height: 100 };
  expect(nearestFree(box, [obstacle], { gap: 20 })).toMatchObject(place);
});
