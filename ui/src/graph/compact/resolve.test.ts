import { expect, it } from "vitest";
import type { NodeShape } from "../nodeShape";
import { buildWorkflow } from "./build";
import { parseCompact } from "./parse";

const video: NodeShape = {
  type: "Video",
  title: "Video",
  inputs: [],
  outputs: [],
  widgets: [
    { name: "model", value: "small" },
    { name: "model.seed", value: 0 },
    { name: "control_after_generate", value: "fixed" },
    { name: "control_after_generate", value: "fixed" },
  ],
  variesByChoice: true,
  size: { width: 200, height: 100 },
};

it("takes the second of two widgets of one name by its number", () => {
  const line =
    "1 Video model=small model.seed=7 control_after_generate#1=randomize control_after_generate=fixed";
  const built = buildWorkflow(parseCompact(line), { shapeOf: () => video, newUuid: () => "id" });
  expect(built).toMatchObject({ nodes: [{ widgets_values: ["small", 7, "randomize", "fixed"] }] });
});
