import { describe, expect, it } from "vitest";
import { webpOf } from "./testPictures";
import { webpTexts } from "./webpText";

describe("the texts of a WebP", () => {
  it.each([true, false])("are found in either byte order (little-endian: %s)", (isLittle) => {
    const bytes = webpOf(['prompt:{"1": {}}', 'workflow:{"nodes": "…"}'], isLittle);
    expect([...webpTexts(bytes)]).toEqual([
      ["prompt", '{"1": {}}'],
      ["workflow", '{"nodes": "…"}'],
    ]);
  });

  it("are none where the file is cut off at any byte, and nothing throws", () => {
    const bytes = webpOf(["workflow:{}"]);
    for (let length = 0; length < bytes.length - 1; length++)
      expect([...webpTexts(bytes.subarray(0, length)).keys()]).toEqual([]);
  });

  it("are none in a picture of another kind", () => {
    expect(webpTexts(new TextEncoder().encode("GIF89a and more")).size).toBe(0);
  });
});
