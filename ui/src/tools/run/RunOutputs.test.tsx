import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { OutputFile } from "../../comfy/bridge";
import type { Json } from "../../graph/graph";
import { executeWorkflow } from "../executeWorkflow";
import { file } from "../testing/testRuns";
import type { RunData } from "./runReport";

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

  const run = (values: Record<string, Json>, filename = "a.png") => ({
    values,
    status: "success" as const,
    outputs: [{ node: "2", type: "SaveImage", files: [{ kind: "image" as const, filename }] }],
  });
  const severalShown = (data: RunData) =>
    renderToStaticMarkup(executeWorkflow.render?.({ args: {}, result: { ok: true, summary: "", data } }));
  const captions = (markup: string) =>
    [...markup.matchAll(/<figcaption title="([^"]*)">(.*?)<\/figcaption>/g)].map(([, title, caption]) => [
      title,
      caption,
    ]);

  it("is every run with what sets it apart, where there are several", () => {
    const failed = { values: { seed: 3, "1.steps": 4 }, status: "failed" as const, error: "Node 1 failed" };
    const markup = severalShown({
      runs: [run({ seed: 1, "1.steps": 4 }, "1.png"), run({ seed: 2, "1.steps": 4 }, "2.png"), failed],
      varied: ["seed"],
    });
    expect(captions(markup).map(([, caption]) => caption)).toEqual(["seed=1", "seed=2", "seed=3"]);
    expect(markup).not.toContain("<table");
    expect(markup).toMatch(/filename=1\.png.*filename=2\.png.*Node 1 failed/);
  });

  it("shows the whole of a long value where the mouse rests, and a number beside what is cut", () => {
    const text = "a red fox in the snow, seen from far away, at dusk";
    const markup = severalShown({ runs: [run({ "6.text": text }), run({ "6.text": `${text}!` })] });
    expect(captions(markup)).toEqual([
      [`6.text=${text}`, "1. 6.text=a red fox in the snow, seen from far awa…"],
      [`6.text=${text}!`, "2. 6.text=a red fox in the snow, seen from far awa…"],
    ]);
  });

  it("is a table where two things vary, and shows files by the names that tools take", () => {
    const runs = [1, 2].flatMap((seed) =>
      [4, 6, 8].map((cfg) => run({ seed, "3.cfg": cfg }, `output/cats/${cfg}-${seed}.png`)),
    );
    const markup = severalShown({ runs, varied: ["seed", "3.cfg"], columns: 3 });
    const heads = [...markup.matchAll(/<th scope="(\w+)"[^>]*>(.*?)<\/th>/g)].map(([, ...head]) =>
      head.join(" "),
    );
    expect(heads).toEqual(["col 3.cfg=4", "col 3.cfg=6", "col 3.cfg=8", "row seed=1", "row seed=2"]);
    expect(markup).toContain('src="/api/view?filename=4-1.png&amp;subfolder=cats&amp;type=output"');
  });

  it("is nothing while it runs or after it failed", () => {
    expect(executeWorkflow.render?.({ args: {} })).toBeNull();
    expect(executeWorkflow.render?.({ args: {}, result: { ok: false, error: "no" } })).toBeNull();
  });
});
