import { expect, it } from "vitest";
import type { LiveGraph, LiveNode, LiveWidget } from "../page";
import { holdsValue, isShown, widgetName } from "./widgets";

const node = { constructor: {} } as LiveNode;
const widget: LiveWidget = { name: "factor", type: "number", value: 2 };

it("counts what is saved with the workflow, and no buttons", () => {
  expect(holdsValue(node, widget)).toBe(true);
  expect(holdsValue(node, { ...widget, type: "button" })).toBe(false);
  expect(holdsValue(node, { ...widget, serialize: false })).toBe(false);
});

it("counts a promoted widget that is saved inside its subgraph, as from 1.41 to 1.46", () => {
  expect(holdsValue(node, { ...widget, serialize: false, sourceWidgetName: "scale_by" })).toBe(true);
});

it("calls a pack's own widget by its label, and one on a subgraph's node by its name", () => {
  const curve: LiveWidget = { name: "curve_1", label: "curve", type: "curve", value: {} };
  expect(widgetName(node, curve, 0)).toBe("curve");
  expect(widgetName({ ...node, subgraph: {} as LiveGraph }, curve, 0)).toBe("curve_1");
});

it("counts the text of a note in Markdown that is still empty", () => {
  expect(holdsValue(node, { name: "text", type: "MARKDOWN", value: "" })).toBe(true);
});

it("tells a text that is only shown, by the field's old name where a pack has it in an element of its own", () => {
  const text = (field: object): LiveWidget => ({ name: "shown", type: "customtext", value: "", ...field });
  const warned = {
    element: { readOnly: true },
    get inputEl(): never {
      throw new Error("the page warns");
    },
  };
  expect(isShown(node, Object.defineProperties(text({}), Object.getOwnPropertyDescriptors(warned)))).toBe(
    true,
  );
  expect(isShown(node, text({ element: {}, inputEl: { readOnly: true } }))).toBe(true);
  expect(isShown(node, text({ element: { readOnly: false } }))).toBe(false);
});
