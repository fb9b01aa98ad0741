import { expect, it } from "vitest";
import type { Comfy } from "../../comfy/bridge";
import type { NodeShape } from "../../graph/nodeShape";
import type { UiWorkflow } from "../../graph/uiWorkflow";
import type { ToolContext } from "../tool";
import { makeKnown } from "./knownByNow";

const noted = (type: string, name: string) => ({ id: 1, type, properties: { "Node name for S&R": name } });

async function made(workflow: Partial<UiWorkflow> & { extra?: object }, ...installed: string[]) {
  const loads: unknown[] = [];
  const whole = {
    read: () => ({ workflow: { nodes: [], links: [], ...workflow } }),
    shape: (type: string) => (installed.includes(type) ? ({} as NodeShape) : undefined),
    load: async (mended: unknown, options: unknown) => void loads.push(mended, options),
  };
  const types = await makeKnown({ whole } as unknown as Comfy, { turn: "t" } as ToolContext);
  return { types, loads };
}

it("loads nodes with their own types once these are installed, wherever they stand", async () => {
  const nodes = [noted("Segs  Mask", "Segs & Mask"), noted("KSampler", "KSampler")];
  const definitions = { subgraphs: [{ id: "s", name: "S", nodes, links: [] }] };
  expect(await made({ nodes, definitions }, "KSampler", "Segs & Mask")).toMatchObject({
    types: ["Segs & Mask"],
    loads: [
      {
        nodes: [{ type: "Segs & Mask" }, { type: "KSampler" }],
        definitions: { subgraphs: [{ id: "s", nodes: [{ type: "Segs & Mask" }, { type: "KSampler" }] }] },
      },
      { turn: "t", keepsResults: true },
    ],
  });
});

it("loads nothing where they are not installed, or the page knows the type that stands there", async () => {
  const nodes = [noted("Segs  Mask", "Segs & Mask")];
  expect(await made({ nodes }, "KSampler")).toEqual({ types: [], loads: [] });
  expect(await made({ nodes }, "Segs  Mask", "Segs & Mask")).toEqual({ types: [], loads: [] });
});

it("loads a group node once all types in it are installed", async () => {
  const groupNodes = {
    Outer: { nodes: [{ type: "workflow>Inner" }, { type: "KSampler" }] },
    Inner: { nodes: [{ type: "FaceDetailer" }] },
    Endless: { nodes: [{ type: "workflow>Endless" }] },
  };
  const nodes = [
    { id: 1, type: "workflowOuter" },
    { id: 2, type: "workflowEndless" },
  ];
  const workflow = { nodes, extra: { groupNodes } };
  expect((await made(workflow, "KSampler")).types).toEqual([]);
  expect((await made(workflow, "KSampler", "FaceDetailer")).types).toEqual(["workflow>Outer"]);
});

it("looks at each group node once, however often they stand in one another", async () => {
  const depth = 60;
  const inner = (level: number) => ({ type: level < depth ? `workflow>Level ${level}` : "KSampler" });
  const groupNodes = Object.fromEntries(
    [...Array(depth).keys()].map((level) => [
      `Level ${level}`,
      { nodes: [inner(level + 1), inner(level + 1)] },
    ]),
  );
  const workflow = { nodes: [{ id: 1, type: "workflowLevel 0" }], extra: { groupNodes } };
  expect((await made(workflow as object, "KSampler")).types).toEqual(["workflow>Level 0"]);
});
