import { expect, it } from "vitest";
import { hearPerson } from "./person";

function heard(type: string, { buttons = 0, within = "canvas" } = {}): boolean {
  const window = new EventTarget();
  let count = 0;
  const stop = hearPerson(window as Window, () => count++);
  const tell = () => {
    const event = Object.assign(new Event(type), { buttons });
    const target = { closest: (selector: string) => (selector === within ? {} : null) };
    Object.defineProperty(event, "target", { value: target });
    window.dispatchEvent(event);
  };
  tell();
  const told = count;
  stop();
  tell();
  expect(count).toBe(told);
  return told > 0;
}

it.each(["pointerdown", "pointerup", "keydown", "beforeinput", "drop"])(
  "%s is an act, until it is enough",
  (type) => {
    expect(heard(type)).toBe(true);
  },
);

it("a pointer that moves is one only while it drags", () => {
  expect([heard("pointermove"), heard("pointermove", { buttons: 1 })]).toEqual([false, true]);
});

it("what is done in our own panel changes no workflow", () => {
  expect(heard("keydown", { within: ".cass-root" })).toBe(false);
});
