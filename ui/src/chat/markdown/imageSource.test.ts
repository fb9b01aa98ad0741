import { expect, it } from "vitest";
import { shownImage } from "./imageSource";

const page = "http://127.0.0.1:8188/";

it.each([
  ["/view?filename=a.png&type=output", "http://127.0.0.1:8188/view?filename=a.png&type=output"],
  ["/api/view?filename=a.png", "http://127.0.0.1:8188/api/view?filename=a.png"],
  ["http://127.0.0.1:8188/api/view?filename=a.png", "http://127.0.0.1:8188/api/view?filename=a.png"],
])("shows an image of this ComfyUI: %s", (source, shown) => {
  expect(shownImage(source, page)).toBe(shown);
});

it.each([
  ["another host", "https://evil.example/view?q=secret"],
  ["the same host under another port", "http://127.0.0.1:9999/view?filename=a.png"],
  ["another route, which could have side effects", "/free?unload=1"],
  ["a route that only looks alike", "/preview"],
  ["inline data", "data:image/png;base64,AAAA"],
  ["a protocol-relative address", "//evil.example/view"],
  ["no address", undefined],
])("does not load %s", (_, source) => {
  expect(shownImage(source, page)).toBeUndefined();
});
