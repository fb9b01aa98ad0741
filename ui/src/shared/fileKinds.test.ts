import { expect, it } from "vitest";
import { fileKind } from "./fileKinds";

it.each([
  ["a/b.PNG", "image"],
  ["b.tar.webm", "video"],
  ["song.flac", "audio"],
  ["mesh.glb", "other"],
  ["constructor", "other"],
])("tells of %s that it is %s", (name, kind) => {
  expect(fileKind(name)).toBe(kind);
});
