import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createFakeComfy } from "../../comfy/fake";
import { editList, exampleFor, readEdits } from "./batchArguments";
import { operations } from "./operations/list";
import { planBatch } from "./planBatch";
import { vocabulary } from "./vocabulary";

const read = (...entries: unknown[]) => readEdits(editList.parse(entries));

/** What planning them says is wrong, by the place in the batch. */
const faults = (...entries: unknown[]) =>
  planBatch(createFakeComfy(), read(...entries)).refusals.map(
    ({ index, error }) => `${index}: ${error.message}`,
  );

describe("the edits of a batch as a model writes them", () => {
  it("announce each operation once, and no field that none of them reads", () => {
    const { items } = z.toJSONSchema(editList, { io: "input", unrepresentable: "any" }) as {
      items: { properties: Record<string, { enum?: string[] }> };
    };
    const { op, ...fields } = items.properties;
    expect(op?.enum).toEqual([...new Set(operations.map(({ name }) => name))]);
    const known = new Set(operations.flatMap((operation) => Object.keys(operation.fields)));
    expect(new Set(Object.keys(fields))).toEqual(known);
    expect(Object.keys(fields).slice(0, Object.keys(vocabulary).length)).toEqual(Object.keys(vocabulary));
  });

  it.each([
    ["add", {}, "type, such as ImageInvert"],
    ["remove", { nodes: [] }, 'nodes, such as ["3"]'],
    ["connect", { from: "1.IMAGE" }, "to, such as 3.model"],
    ["set", { nodes: ["1"] }, 'widgets, such as {"steps":30}'],
    ["replace", { nodes: ["1", "2"], type: "A" }, "nodes with one id"],
    ["insert", { to: "1.image" }, "type or nodes"],
    ["mode", { nodes: ["1"], mode: "off" }, "mode: active, bypass or mute"],
    ["promote", { to: "1:2.a", from: "1:2.b" }, "to (an input or widget) or from (an output)"],
  ])("tell what %s lacks in %j", (op, fields, need) => {
    expect(faults({ op, ...fields })).toEqual([`0: It needs ${need}.`]);
  });

  it("take one output into several inputs, and a node beside the name of its input", () => {
    expect(
      editList.parse([
        { op: "connect", from: "1.IMAGE", to: ["2.image", "3.images"] },
        { op: "disconnect", nodes: ["3"], to: "images" },
        { op: "disconnect", node: 3 },
      ]),
    ).toEqual([
      { op: "connect", from: "1.IMAGE", to: "2.image" },
      { op: "connect", from: "1.IMAGE", to: "3.images" },
      { op: "disconnect", to: "3.images" },
      { op: "disconnect", to: "3" },
    ]);
  });

  it("name everything that is wrong, in every operation", () => {
    expect(
      faults(
        { op: "title", nodes: ["1"], slot: 2 },
        { op: "expandSubgraph", nodes: ["1"] },
        { op: "color", inputs: {}, title: "" },
      ),
    ).toEqual([
      "0: It needs title, such as Second pass. It has no slot; it takes nodes, title.",
      expect.stringContaining('1: There is no node "1"'),
      '2: It needs nodes, such as ["3"].',
    ]);
  });

  it.each<[string, unknown]>([
    ["JSON text", '[{"op":"remove","nodes":["1"]}]'],
    ["one object", { op: "remove", nodes: ["1"] }],
    ["text of one object", '{"op":"remove","nodes":["1"]}'],
    ["a list of texts", ['{"op":"remove","node":1}']],
    ["a list in another object", { operations: [{ op: "remove", id: "1" }] }],
  ])("may come as %s", (_, written) => {
    expect(editList.parse(written)).toEqual([{ op: "remove", nodes: ["1"] }]);
  });

  it("name slots in one word, or node and slot apart", () => {
    expect(editList.parse([{ op: "connect", from: ["4", 1], to: [3, "model"] }])).toEqual([
      { op: "connect", from: "4.1", to: "3.model" },
    ]);
    const apart = { op: "connect", from: { node: 4, output: "MODEL" }, to: { node: "3", input: "model" } };
    expect(editList.parse([apart])).toEqual([{ op: "connect", from: "4.MODEL", to: "3.model" }]);
  });

  it.each<[string, string, string]>([
    ["group", "as", "LoRAs"],
    ["group", "title", "All LoRAs"],
    ["add", "as", "first"],
  ])("of %s mean %s by name", (op, field, name) => {
    expect(editList.parse([{ op, name }])).toEqual([{ op, [field]: name }]);
  });

  it.each<[string, object, object]>([
    ["a mode", { op: "mute", nodes: ["1"] }, { op: "mode", nodes: ["1"], mode: "mute" }],
    [
      "a mode that is told, too",
      { op: "enable", node: 1, mode: "bypass" },
      { op: "mode", nodes: ["1"], mode: "bypass" },
    ],
    ["another spelling", { op: "make_subgraph", nodes: ["1"] }, { op: "makeSubgraph", nodes: ["1"] }],
    [
      "a word for the same",
      { op: "rename", node: "1", name: "A" },
      { op: "title", nodes: ["1"], title: "A" },
    ],
    [
      "a tool with its arguments",
      { op: "connectNodes", fromNode: 4, fromOutput: "MODEL", toNode: "3", toInput: "model" },
      { op: "connect", from: "4.MODEL", to: "3.model" },
    ],
    [
      "the same of one value",
      { op: "setNodeWidgetValue", node: "3", widget: "steps", value: 30 },
      { op: "set", nodes: ["3"], widgets: { steps: 30 } },
    ],
    [
      "values under another name",
      { op: "add", class_type: "A", params: { b: 1 } },
      { op: "add", type: "A", widgets: { b: 1 } },
    ],
    [
      "values beside the nodes",
      { op: "set", node: "3", steps: 30, cfg: 6, inputs: {} },
      { op: "set", nodes: ["3"], widgets: { steps: 30, cfg: 6 }, inputs: {} },
    ],
  ])("may name %s", (_, written, meant) => {
    expect(editList.parse([written])).toEqual([meant]);
  });

  it("name no two operations alike", () => {
    const names = operations.flatMap(({ name, alsoCalled = {} }) => [name, ...Object.keys(alsoCalled)]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  it("are refused where two words for the same are written", () => {
    expect(faults({ op: "remove", nodes: ["1"], id: "2" })).toEqual([
      "0: It has no id; it takes nodes, rejoin.",
    ]);
  });

  it.each<[unknown, object]>([
    [undefined, { op: "set", nodes: ["3"], widgets: { steps: 30 } }],
    [[{ op: "insert", to: 7 }], { op: "insert", to: "3.model", type: "ImageInvert" }],
    [{ op: "promote" }, { op: "promote", to: "3.model" }],
  ])("have an example for %j", (written, example) => {
    expect(JSON.parse(exampleFor(written))).toEqual({ operations: [example] });
    expect(editList.parse([example])).toEqual([example]);
  });

  it("carry the name that they give their node", () => {
    expect(read({ op: "add", type: "A", name: "canvas" })).toMatchObject([
      { operation: "add", as: "canvas" },
    ]);
  });
});
