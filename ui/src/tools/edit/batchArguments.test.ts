import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ToolError } from "../tool";
import { editList, readEdits } from "./batchArguments";
import { operations } from "./operations/list";
import { vocabulary } from "./vocabulary";

const read = (...entries: unknown[]) => readEdits(editList.parse(entries));

function refusal(...entries: unknown[]): string {
  try {
    read(...entries);
    return "nothing";
  } catch (error) {
    return error instanceof ToolError ? error.message : String(error);
  }
}

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
    ["add", {}, "type"],
    ["remove", { nodes: [] }, "nodes"],
    ["connect", { from: "1.IMAGE" }, "to"],
    ["set", { nodes: ["1"] }, "widgets"],
    ["replace", { nodes: ["1", "2"], type: "A" }, "nodes with one id"],
    ["insert", { to: "1.image" }, "type or nodes"],
    ["mode", { nodes: ["1"], mode: "off" }, "mode: active, bypass or mute"],
    ["promote", { to: "1:2.a", from: "1:2.b" }, "to (an input or widget) or from (an output)"],
  ])("tell what %s lacks in %j", (op, fields, need) => {
    expect(refusal({ op, ...fields })).toBe(`Nothing was changed. operations[0] ${op}: It needs ${need}.`);
  });

  it("name every operation that lacks something", () => {
    expect(
      refusal({ op: "title", nodes: ["1"] }, { op: "expandSubgraph", nodes: ["1"] }, { op: "color" }),
    ).toBe("Nothing was changed. operations[0] title: It needs title. operations[2] color: It needs nodes.");
  });

  it("carry the name that they give their node", () => {
    expect(read({ op: "add", type: "A", name: "canvas" })).toMatchObject([
      { operation: "add", as: "canvas" },
    ]);
  });
});
