import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { roomOf } from "./room";
import { testCalls } from "./testing/testCall";
import { runTool } from "./tool";
import { viewImages } from "./viewImages";

const small = "data:image/jpeg;base64,AAAA";

function withPictures(...names: string[]) {
  const calls = testCalls();
  const asked: string[] = [];
  calls.comfy.picture = async ({ filename, subfolder, type }, { mostBytes, longestSide }) => {
    const name = [type, subfolder, filename].filter(Boolean).join("/");
    asked.push(`${name} ${longestSide}px ${mostBytes}B`);
    return names.includes(name) ? { url: small, width: 832, height: 1216 } : undefined;
  };
  return { ...calls, asked };
}

describe("viewing images", () => {
  it("gives the model the picture that an address of a run names", async () => {
    const { call } = withPictures("temp/sub/a b.png");
    const url = "/api/view?filename=a+b.png&subfolder=sub&type=temp";
    expect(await call(viewImages, { refs: [url] })).toEqual({
      ok: true,
      summary: "Viewed sub/a b.png 832x1216.",
      data: { images: [{ url: small, caption: "sub/a b.png 832x1216", source: url }] },
    });
  });

  it("finds a bare name in the output folder first, then among temporary files and inputs", async () => {
    const { call, asked } = withPictures("input/cats/a.png");
    expect(await call(viewImages, { refs: "cats/a.png" })).toMatchObject({ ok: true });
    expect(asked.map((each) => each.split(" ")[0])).toEqual([
      "output/cats/a.png",
      "temp/cats/a.png",
      "input/cats/a.png",
    ]);
  });

  it("keeps each picture small, and smaller where there are several", async () => {
    const { call, asked } = withPictures("output/a.png", "output/b.png", "output/c.png", "output/d.png");
    await call(viewImages, { refs: ["a.png"] });
    await call(viewImages, { refs: ["a.png", "b.png", "c.png", "d.png"] });
    expect(asked[0]).toBe("output/a.png 1024px 200000B");
    expect(asked[4]).toBe("output/d.png 1024px 100000B");
  });

  it("never looks elsewhere than in this ComfyUI", async () => {
    const { call, asked } = withPictures();
    expect(await call(viewImages, { refs: ["https://elsewhere.example/a.png"] })).toMatchObject({
      ok: false,
      error: expect.stringContaining("There is no image"),
    });
    expect(asked.every((each) => /^(output|temp|input)\//.test(each))).toBe(true);
  });

  it.each([
    ["output/video/a.mp4", "a video", "run until the node that makes them"],
    ["/api/view?filename=a.flac&type=output", "audio", "ask the user"],
  ])("says of %s that it is no image, and what to do", async (ref, what, todo) => {
    expect(await withPictures().call(viewImages, { refs: [ref] })).toMatchObject({
      ok: false,
      error: `"${ref}" is ${what}; only images can be viewed.`,
      hint: expect.stringContaining(todo),
    });
  });

  it.each([[[]], [["a", "b", "c", "d", "e"]]])("takes from one to four: %j", async (refs) => {
    expect(await withPictures("output/a").call(viewImages, { refs })).toMatchObject({
      ok: false,
      error: expect.stringContaining("from 1 to 4"),
    });
  });

  it.each([
    [false, false],
    [undefined, true],
    [true, true],
  ])("when it is known whether the model sees (%s), says so", async (sees, ok) => {
    const { comfy } = withPictures("output/a.png");
    const result = await runTool(viewImages, { refs: ["a.png"] }, comfy, {
      signal: new AbortController().signal,
      room: roomOf(),
      onProgress: () => {},
      confirm: async () => true,
      seesImages: async () => sees,
    });
    expect(result.ok).toBe(ok);
    if (!result.ok) expect(result.error).toBe("This model cannot see images.");
  });

  it("shows the user the files themselves, by name those that a run has shown, and none of another address", () => {
    const shown = (source: string) =>
      renderToStaticMarkup(
        viewImages.render?.({
          args: {},
          result: { ok: true, summary: "", data: { images: [{ url: small, caption: "a.png", source }] } },
        }),
      );
    expect(shown("/api/view?filename=a.png")).toContain('src="/api/view?filename=a.png"');
    expect(shown("/api/view?filename=a.png&type=output")).not.toContain("<img");
    expect(shown("https://elsewhere.example/a.png")).toBe("");
  });
});
