import { describe, expect, it } from "vitest";
import type { GraphEditor } from "../../../comfy/bridge";
import { editWorkflow } from "../../editWorkflow";
import { testCalls } from "../../testing/testCall";
import { operations } from "./list";

const scaling = { type: "ImageScaleBy" };

/** What each operation is asked here, at least. */
const least: Readonly<Record<string, object>> = {
  add: scaling,
  remove: { nodes: ["2"] },
  connect: { from: "1.IMAGE", to: "3.images" },
  disconnect: { to: "3.images" },
  set: { nodes: ["1"], widgets: { width: 64 } },
  replace: { nodes: ["2"], type: "SaveImage" },
  insert: { to: "3.images", ...scaling },
  move: { nodes: ["1"], position: { x: 900, y: 900 } },
  mode: { nodes: ["2"], mode: "mute" },
  title: { nodes: ["2"], title: "Theirs" },
  color: { nodes: ["2"] },
  group: { nodes: ["1", "2"] },
  makeSubgraph: { nodes: ["1", "2"] },
  expandSubgraph: { nodes: ["6"] },
  promote: { to: "6:5.width" },
  demote: { from: "6.IMAGE" },
};

/** Something else than that, which each of them can do that has the field. */
const more: Readonly<Record<string, unknown>> = {
  nodes: ["6"],
  type: "ImageScaleBy",
  as: "mine",
  from: "4.IMAGE",
  to: "4.image",
  widgets: { scale_by: 2 },
  inputs: { image: "4.IMAGE" },
  mode: "bypass",
  title: "Mine",
  color: "red",
  position: { x: 1, y: 2 },
  beside: "1",
  rejoin: false,
  inside: "6",
};

/** Where that is what it is asked anyway, or not what it can do. */
const special: Readonly<Record<string, unknown>> = {
  "add type": "ImageInvert",
  "expandSubgraph nodes": ["1", "6"],
  "set widgets": { height: 8 },
  "set nodes": ["6:5"],
  "replace type": "EmptyImage",
  "replace nodes": ["4"],
  "replace widgets": { filename_prefix: "Mine" },
  "replace inputs": { images: "4.IMAGE" },
  "insert type": "ImageInvert",
  "insert nodes": ["4"],
  "insert to": "2.image",
  "disconnect to": "2.image",
  "promote to": "6:5.height",
  "promote from": "6:5.IMAGE",
  "demote to": "6.width",
  "group nodes": ["2", "3"],
  "makeSubgraph nodes": ["2", "3"],
};
/** Nodes that are none of its kind, the second of two ways, and an output that is not that of the link. */
const unfit = new Set([
  "expandSubgraph nodes",
  "insert nodes",
  "insert from",
  "promote from",
  "demote to",
  "demote from",
]);

/** An image, inverted and saved; another way from it; an image in subgraph node 6. */
async function asked(operation: object) {
  const calls = testCalls(
    ["EmptyImage", "ImageInvert", "SaveImage", "ImageInvert", "EmptyImage"],
    ["1.IMAGE>2.image", "2.IMAGE>3.images"],
  );
  await calls.call(editWorkflow, { operations: [{ op: "makeSubgraph", nodes: ["5"] }] });
  const prepared = [
    { op: "promote", from: "6:5.IMAGE" },
    { op: "connect", from: "1.IMAGE", to: "4.image" },
  ];
  await calls.call(editWorkflow, { operations: prepared });
  const log: unknown[] = [];
  const { edit } = calls.comfy;
  const noting = (editor: GraphEditor): GraphEditor =>
    new Proxy(editor, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return (...args: unknown[]) => {
          log.push([name, ...args]);
          const result = method.apply(target, args);
          return name === "within" ? noting(result) : result;
        };
      },
    });
  calls.comfy.edit = (change, options) => edit((editor) => change(noting(editor)), options);
  const result = await calls.call(editWorkflow, { operations: [operation] });
  const named = result.ok && (result.data as { nodes?: object }).nodes;
  return { result, asked: JSON.stringify([log, named]) };
}

const fields = [...new Set(operations.flatMap((operation) => Object.keys(operation.fields)))];

describe.each(operations.map((operation) => [operation.name, operation] as const))(
  "%s",
  (name, operation) => {
    it.each(fields)("honours or refuses %s", async (field) => {
      const base = { op: name, ...least[name] };
      const key = `${name} ${field}`;
      const without = await asked(base);
      expect(without.result).toMatchObject({ ok: true });
      const { result, asked: done } = await asked({ ...base, [field]: special[key] ?? more[field] });
      if (!(field in operation.fields)) {
        expect(result).toMatchObject({ ok: false, error: expect.stringContaining(`It has no ${field};`) });
        return;
      }
      expect(result).toMatchObject({ ok: !unfit.has(key) });
      expect(done).not.toEqual(without.asked);
    });
  },
);

it("no field is left out here", () => {
  expect(new Set(fields)).toEqual(new Set(Object.keys(more)));
});
