import { expect, it } from "vitest";
import { distanceWords } from "./distanceWords";

it("tells a distance in whole pixels, and a way of less than half a pixel not at all", () => {
  expect(distanceWords({ x: 844.83, y: -12.2 })).toBe("845 px right and 12 px up");
  expect(distanceWords({ x: -0.4, y: 3 })).toBe("3 px down");
});
