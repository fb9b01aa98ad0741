import { expect, it } from "vitest";
import { keptSize } from "./keptSize";
import { imageNode } from "./testNodes";

const node = (width: number, height: number, leastHeight?: number) => ({
  ...imageNode("1", { x: 0, y: 0 }),
  title: "Load Image",
  size: { width, height },
  ...(leastHeight === undefined ? {} : { leastHeight }),
});

it.each([
  [
    "as it was where new ones are wider and higher by themselves",
    node(305, 60),
    node(400, 200, 50),
    [305, 60],
  ],
  ["higher where its slots and widgets take more", node(305, 60), node(320, 260, 240), [305, 240]],
  ["no narrower than nodes usually are", node(75, 20), node(270, 100, 100), [210, 100]],
  ["as wide as a small one is by itself", node(75, 20), node(140, 46, 46), [140, 46]],
  ["collapsed where the other was", node(140, 0), node(270, 100, 100), [130, 0]],
  [
    "as high as the other where its author had it so",
    { ...node(470, 560, 180), isInstalled: false },
    node(320, 58, 58),
    [470, 560],
  ],
  [
    "as high as it is by itself where the other grew to the height of unknown values",
    { ...node(315, 130, 130), isInstalled: false },
    node(315, 106, 106),
    [315, 106],
  ],
])("a node in the place of another is %s", (_, old, own, [width, height]) => {
  expect(keptSize(old, own)).toEqual({ width, height });
});
