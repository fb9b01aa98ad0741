import type { AppendMessage } from "@assistant-ui/react";
import { expect, it } from "vitest";
import { filesOfMessage } from "../composer/attachedFile";
import { createdMessage } from "./createdMessage";

type Attachments = NonNullable<AppendMessage["attachments"]>;

const message = (text: string, attachments: readonly unknown[]) =>
  ({
    role: "user",
    content: text ? [{ type: "text", text }] : [],
    attachments: attachments as Attachments,
    metadata: { custom: {} },
  }) as unknown as AppendMessage;

const picture = "data:image/jpeg;base64,AAAA";
const cat = {
  name: "input/cat.png",
  contentType: "image/jpeg",
  content: [{ type: "image", image: picture }],
};
const note = {
  name: "note.md",
  contentType: "text/markdown",
  content: [{ type: "file", data: "data:text/markdown,hi", mimeType: "text/markdown" }],
};

it("sends the text and each file by its address, with its name and kind", () => {
  expect(createdMessage(message("look", [cat, note])).parts).toEqual([
    { type: "text", text: "look" },
    { type: "file", url: picture, filename: "input/cat.png", mediaType: "image/jpeg" },
    { type: "file", url: "data:text/markdown,hi", filename: "note.md", mediaType: "text/markdown" },
  ]);
});

it("makes the same of files that came back into the composer", () => {
  const first = createdMessage(message("look", [cat, note]));
  expect(createdMessage(message("look", filesOfMessage(first)))).toEqual(first);
});

it("reads what kind an image is from its address where nothing else tells", () => {
  const { parts } = createdMessage(message("", [{ ...cat, contentType: undefined }]));
  expect(parts).toEqual([{ type: "file", url: picture, filename: "input/cat.png", mediaType: "image/jpeg" }]);
});

it("names what it cannot send", () => {
  const odd = { name: "x", content: [{ type: "audio", audio: {} }] };
  expect(() => createdMessage(message("", [odd]))).toThrow(/“audio”; only texts, images and files/);
});
