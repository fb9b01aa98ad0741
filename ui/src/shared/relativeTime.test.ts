import { expect, it } from "vitest";
import { relativeTime } from "./relativeTime";

const now = new Date("2026-03-10T12:00:00Z");

it.each([
  ["2026-03-10T11:59:30Z", "just now"],
  ["2026-03-10T11:58:00Z", "2 minutes ago"],
  ["2026-03-10T09:00:00Z", "3 hours ago"],
  ["2026-03-09T11:00:00Z", "yesterday"],
  ["2026-02-20T12:00:00Z", "2 weeks ago"],
  ["2025-03-01T12:00:00Z", "last year"],
])("says %s as %s", (then, expected) => {
  expect(relativeTime(new Date(then), now)).toBe(expected);
});
