import { expect, it } from "vitest";
import { tokensOfPicture, tokensOfTexts } from "./attachedTokens";

it("takes four characters for a token, and nothing for what travels by its name", () => {
  const text = {
    type: "file" as const,
    mimeType: "text/plain",
    data: `data:text/plain,${encodeURIComponent("ä".repeat(9))}`,
  };
  const named = {
    type: "file" as const,
    mimeType: "video/mp4",
    data: "http://127.0.0.1/api/view?filename=a.mp4",
  };
  expect([tokensOfTexts([text]), tokensOfTexts([named]), tokensOfTexts([])]).toEqual([3, 0, 0]);
});

it.each([
  [64, 64, 255],
  [1024, 1024, 765],
  [1024, 512, 425],
  [512, 1024, 425],
])("counts a picture of %d x %d as the server does", (width, height, tokens) => {
  expect(tokensOfPicture(width, height)).toBe(tokens);
});
