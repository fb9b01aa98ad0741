import { describe, expect, it } from "vitest";
import { getWorkflowInfo } from "./getWorkflowInfo";
import { testCalls } from "./testCall";

describe("reading the workflow", () => {
  it("gives name, counts, revision and one line per node", async () => {
    const { call } = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    expect(await call(getWorkflowInfo)).toEqual({
      ok: true,
      summary: 'Read "Test": 2 nodes, 1 links.',
      data: {
        workflow: "Test",
        nodes: 2,
        links: 1,
        revision: expect.stringMatching(/^[0-9a-f]{8}$/),
        text: "1 EmptyImage\n2 SaveImage images<1",
      },
    });
  });

  it("says that an empty workflow is empty", async () => {
    const { call } = testCalls();
    expect(await call(getWorkflowInfo)).toMatchObject({ data: { nodes: 0, text: "The workflow is empty." } });
  });

  it.each([[["1"]], [[1]], ["1"], ["EmptyImage"]])("gives everything about the nodes %o", async (nodeIds) => {
    const { call } = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    expect(await call(getWorkflowInfo, { nodeIds })).toMatchObject({
      summary: 'Read node 1 of "Test".',
      data: {
        text: [
          "1 EmptyImage",
          "  out IMAGE IMAGE >2.images",
          "  width=512 (integer 1..16384)",
          "  height=512 (integer 1..16384)",
          "  batch_size=1 (integer 1..4096)",
          "  color=0 (integer 0..16777215)",
        ].join("\n"),
      },
    });
  });

  it("reads all of it when the list of nodes is empty", async () => {
    const { call } = testCalls(["EmptyImage"]);
    expect(await call(getWorkflowInfo, { nodeIds: [] })).toMatchObject({
      data: { text: "1 EmptyImage >IMAGE" },
    });
  });

  it("refuses nodes that are not there", async () => {
    const { call } = testCalls(["EmptyImage"]);
    expect(await call(getWorkflowInfo, { nodeIds: ["9"] })).toMatchObject({
      ok: false,
      hint: "Nodes: 1 EmptyImage.",
    });
  });

  it("falls back to ids, types and links where values would be too long", async () => {
    const { call, comfy } = testCalls();
    comfy.edit((editor) => {
      for (let count = 0; count < 150; count++)
        editor.setWidget(editor.addNode("CLIPTextEncode"), "text", `prompt ${count} ${"word ".repeat(60)}`);
    });
    const result = await call(getWorkflowInfo);
    expect(result).toMatchObject({
      ok: true,
      summary: expect.stringContaining("values left out"),
      data: { nodes: 150, left_out: expect.stringContaining("nodeIds") },
    });
    expect(JSON.stringify(result).length).toBeLessThan(8000);
  });

  it("tells that a subgraph is open", async () => {
    const { call, comfy } = testCalls(["ImageInvert"]);
    comfy.openScope({
      kind: "subgraph",
      id: "s",
      name: "Upscale",
      outputs: [{ name: "IMAGE", type: "IMAGE", linkedFrom: { node: "1", output: 0, name: "IMAGE" } }],
    });
    expect(await call(getWorkflowInfo)).toMatchObject({
      summary: 'Read "Test" (inside the open subgraph "Upscale"): 1 nodes, 0 links.',
      data: { openSubgraph: "Upscale", text: "1 ImageInvert image<? >IMAGE\noutput.IMAGE<1" },
    });
  });
});
