import { expect, it } from "vitest";
import { filesOfComposer, filesOfMessage } from "./attachedFile";

it("leaves out a file that is still on its way to ComfyUI", () => {
  const begun = {
    id: "1",
    type: "image" as const,
    name: "cat.png",
    contentType: "image/png",
    file: new File([], ""),
  };
  const content = [{ type: "image" as const, image: "data:image/jpeg;base64,AAAA" }];
  expect(
    filesOfComposer([
      { ...begun, status: { type: "running", reason: "uploading", progress: 0 } },
      { ...begun, name: "input/cat.png", content, status: { type: "complete" } },
    ]),
  ).toEqual([{ name: "input/cat.png", contentType: "image/png", content }]);
});

it("makes of a message's files what the composer takes again", () => {
  const file = { type: "file" as const, filename: "input/cat.png", mediaType: "image/jpeg", url: "data:," };
  expect(filesOfMessage({ parts: [{ type: "text", text: "look" }, file] })).toEqual([
    {
      name: "input/cat.png",
      contentType: "image/jpeg",
      content: [{ type: "file", data: "data:,", mimeType: "image/jpeg", filename: "input/cat.png" }],
    },
  ]);
});
