import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { OutputFile } from "../../comfy/bridge";
import { executeWorkflow } from "../executeWorkflow";
import { file } from "../testing/testRuns";

describe("what the user sees of a run", () => {
  const shown = (files: OutputFile[], url = "/api/view?filename=x") =>
    renderToStaticMarkup(
      executeWorkflow.render?.({
        args: {},
        result: {
          ok: true,
          summary: "",
          data: {
            status: "success",
            outputs: [{ node: "2", type: "SaveImage", files: files.map((each) => ({ ...each, url })) }],
          },
        },
      }),
    );

  it.each([
    [
      "an image",
      file("image", "a.png"),
      /<img class="cass-output-image" src="\/api\/view\?filename=x" alt="a.png"/,
    ],
    ["a video", file("video", "a.mp4"), /<video class="cass-output-image" src="\/api\/view/],
    ["a sound", file("audio", "a.flac"), /<audio class="cass-output-audio" src="\/api\/view/],
    [
      "a link to any other file",
      file("other", "mesh.glb"),
      /<a class="cass-file cass-output-file" href="\/api\/view[^>]*>mesh\.glb/,
    ],
  ])("is %s", (_, each, markup) => {
    expect(shown([each])).toMatch(markup);
  });

  it.each([["https://elsewhere.example/a.png"], ["//elsewhere.example/a.png"], ["javascript:alert(1)"]])(
    "never comes from another address: %s",
    (url) => {
      expect(shown([file("image", "a.png"), file("other", "b.zip")], url)).not.toContain("elsewhere");
      expect(shown([file("other", "b.zip")], url)).not.toContain("href");
    },
  );

  it("is every run with what sets it apart, where there are several", () => {
    const run = (seed: number) => ({
      values: { seed },
      status: "success" as const,
      outputs: [
        {
          node: "2",
          type: "SaveImage",
          files: [{ kind: "image" as const, filename: "a.png", url: `/api/view?${seed}` }],
        },
      ],
    });
    const failed = { values: { seed: 3 }, status: "failed" as const, error: "Node 1 failed" };
    const markup = renderToStaticMarkup(
      executeWorkflow.render?.({
        args: {},
        result: { ok: true, summary: "", data: { runs: [run(1), run(2), failed] } },
      }),
    );
    expect([...markup.matchAll(/<figcaption>(.*?)<\/figcaption>/g)].map(([, caption]) => caption)).toEqual([
      "seed=1",
      "seed=2",
      "seed=3",
    ]);
    expect(markup).toMatch(/src="\/api\/view\?1".*src="\/api\/view\?2".*Node 1 failed/);
  });

  it("is a table where two things vary, and shows files by the names that tools take", () => {
    const run = (cfg: number) => ({
      values: { cfg },
      status: "success" as const,
      outputs: [
        {
          node: "2",
          type: "SaveImage",
          files: [{ kind: "image" as const, filename: `output/cats/${cfg}.png` }],
        },
      ],
    });
    const markup = renderToStaticMarkup(
      executeWorkflow.render?.({
        args: {},
        result: { ok: true, summary: "", data: { runs: [run(4), run(6)], columns: 2 } },
      }),
    );
    expect(markup).toContain("grid-template-columns:repeat(2, max-content)");
    expect(markup).toContain('src="/api/view?filename=4.png&amp;subfolder=cats&amp;type=output"');
  });

  it("is nothing while it runs or after it failed", () => {
    expect(executeWorkflow.render?.({ args: {} })).toBeNull();
    expect(executeWorkflow.render?.({ args: {}, result: { ok: false, error: "no" } })).toBeNull();
  });
});
