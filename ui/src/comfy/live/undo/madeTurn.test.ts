import { expect, it } from "vitest";
import { type MadeTurn, slimTurn } from "./madeTurn";

const workflow = { path: "a.json" };
const nodes = Array.from({ length: 500 }, (_, id) => ({ id, type: "A", widgets_values: [id] }));
const state = (value: number) => ({ nodes: nodes.with(7, { id: 7, type: "A", widgets_values: [value] }) });

it("keeps of a turn what it changed, and the whole of what it opened", () => {
  const made: MadeTurn = {
    changes: [
      { workflow, name: "a", before: state(1), after: state(2) },
      { workflow, name: "b", after: state(3) },
    ],
    isUndone: true,
    earlier: [{ changes: [], isUndone: false }],
  };
  const only = (value: number) => ({ nodes: [{ id: 7, widgets_values: [value] }] });
  expect(slimTurn(made)).toEqual({
    changes: [
      { workflow, name: "a", before: only(1), after: only(2) },
      { workflow, name: "b", before: undefined, after: state(3) },
    ],
    isUndone: true,
    earlier: [],
  });
});
