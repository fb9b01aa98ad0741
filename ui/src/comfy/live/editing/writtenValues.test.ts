import { expect, it } from "vitest";
import type { LiveGraph, LiveWidget } from "../page";
import { noteWrittenValues } from "./writtenValues";

function rolling(isAwaited: boolean) {
  const label: LiveWidget = { name: "last", value: "none" };
  const button: LiveWidget = { name: "Last seed", value: null };
  const seed: LiveWidget = {
    name: "seed",
    value: -1,
    serializeValue() {
      seed.value = 42;
      label.value = "42";
      button.name = "42";
      return isAwaited ? Promise.resolve(42) : 42;
    },
  };
  const others: LiveWidget = { name: "text", value: "a" };
  const graph = {
    nodes: [{ widgets: [seed, label, button] }, { widgets: [others] }, {}],
  } as unknown as LiveGraph;
  return { seed, label, button, others, graph, own: seed.serializeValue };
}

it.each([true, false])(
  "What a widget writes while it tells its value for a prompt is taken back",
  async (isAwaited) => {
    const { seed, label, button, others, graph, own } = rolling(isAwaited);
    const putBack = noteWrittenValues([graph]);
    expect(await seed.serializeValue?.({}, 0)).toBe(42);
    others.value = "b";
    putBack();
    expect([seed.value, label.value, button.name, others.value]).toEqual([-1, "none", "Last seed", "b"]);
    expect(seed.serializeValue).toBe(own);
  },
);

it("What was changed since stays", async () => {
  const { seed, graph } = rolling(true);
  const putBack = noteWrittenValues([graph]);
  await seed.serializeValue?.({}, 0);
  seed.value = 7;
  putBack();
  expect(seed.value).toBe(7);
});
