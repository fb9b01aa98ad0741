import { expect, it } from "vitest";
import { neededPart } from "./neededPart";

const loader = {
  ...{ id: 1, type: "VAELoader", mode: 0, pos: [10.5, 20.25], size: [300, 60], flags: {}, order: 3 },
  inputs: [
    { name: "image", type: "IMAGE", link: 4 },
    { name: "vae_name", type: "COMBO", widget: { name: "vae_name" }, link: null },
  ],
  outputs: [{ name: "VAE", type: "VAE", links: [1, 2, 3] }],
  properties: { "Node name for S&R": "VAELoader", cnr_id: "comfy-core", ver: "0.3" },
  widgets_values: ["ae.safetensors"],
};
const sampler = { ...loader, id: 2, type: "KSampler", widgets_values: [7, "fixed", 20, 8, "euler", 1] };
const needed = {
  ...{ id: 1, type: "VAELoader", mode: 0, widgets_values: ["ae.safetensors"] },
  ...{ inputs: [{ widget: { name: "vae_name" } }], properties: { cnr_id: "comfy-core", ver: "0.3" } },
};

it("keeps types, modes, packages and the values that may name a file, in subgraphs too", () => {
  const subgraphs = [{ id: "s", name: "S", nodes: [loader], links: [[1]] }];
  const whole = { nodes: [loader, sampler, null], links: [[1, 2]], extra: {}, definitions: { subgraphs } };
  const bare = { id: 2, type: "KSampler", mode: 0, properties: needed.properties };
  expect(neededPart(whole)).toEqual({
    nodes: [needed, bare],
    definitions: { subgraphs: [{ id: "s", name: "S", nodes: [needed] }] },
  });
  expect(neededPart({})).toEqual({ nodes: [], definitions: { subgraphs: [] } });
});

it("takes group nodes for subgraphs, with the files that stand in the workflow", () => {
  const inner = (...files: string[]) => files.map((file) => ({ ...loader, widgets_values: [file] }));
  const groupNodes = { Fix: { nodes: inner("ae.safetensors", "default.safetensors") } };
  const standIn = {
    id: 3,
    type: "workflowFix",
    mode: 0,
    widgets_values: ["ae.safetensors", "own.safetensors"],
  };
  const part = neededPart({ nodes: [standIn], extra: { groupNodes } });
  expect(part).toEqual({
    nodes: [{ ...standIn, type: "workflow>Fix", properties: {}, inputs: [] }],
    definitions: {
      subgraphs: [
        {
          ...{ id: "workflow>Fix", name: "Fix" },
          nodes: [
            { ...needed, id: undefined },
            { type: "VAELoader", mode: 0, properties: { ...needed.properties, models: [] } },
          ],
        },
      ],
    },
  });
});

it("keeps a workflow of thousands of nodes within what the server reads", () => {
  const nodes = Array.from({ length: 4000 }, (_, index) => ({
    ...(index % 5 ? sampler : loader),
    id: index,
  }));
  const marks = (value: object) => JSON.stringify(value).match(/[[{,]/g)?.length ?? 0;
  expect(marks({ nodes })).toBeGreaterThan(100_000);
  expect(marks(neededPart({ nodes }))).toBeLessThan(50_000);
});
