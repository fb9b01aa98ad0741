import { expect, it } from "vitest";
import { isRead, whenRead, withLater } from "./laterFields";

function counted() {
  let count = 0;
  const whole = withLater({ id: "1" }, { slots: () => [++count] });
  return { whole, count: () => count };
}

it("reads a field once, when it is asked for", () => {
  const { whole, count } = counted();
  expect(count()).toBe(0);
  expect([whole.slots, whole.slots]).toEqual([[1], [1]]);
  expect(count()).toBe(1);
});

it("reads nothing of a field that was written", () => {
  const { whole, count } = counted();
  whole.slots = [7];
  expect(whole).toEqual({ id: "1", slots: [7] });
  expect(count()).toBe(0);
});

it("copies as any other object", () => {
  const { whole } = counted();
  expect({ ...whole }).toEqual({ id: "1", slots: [1] });
  expect(structuredClone(whole)).toEqual({ id: "1", slots: [1] });
});

it("tells the value as it was read, whatever becomes of it", () => {
  const { whole } = counted();
  const told: number[][] = [];
  whenRead(whole, "slots", (slots) => told.push([...slots]));
  expect(told).toEqual([]);
  whole.slots.push(9);
  expect(told).toEqual([[1]]);
});

it("tells at once what is there already", () => {
  const told: string[] = [];
  whenRead({ id: "1" }, "id", (id) => told.push(id));
  expect(told).toEqual(["1"]);
});

it("tells whether a field was read", () => {
  const { whole } = counted();
  expect([isRead(whole, "id"), isRead(whole, "slots")]).toEqual([true, false]);
  void whole.slots;
  expect(isRead(whole, "slots")).toBe(true);
});
