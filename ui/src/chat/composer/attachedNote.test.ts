import { expect, it } from "vitest";
import { attachedNote } from "./attachedNote";

it.each([
  ["a picture that nothing can show", "image/png", "http://127.0.0.1/api/view?filename=a.png", "no preview"],
  ["a file for nodes", "video/mp4", "http://127.0.0.1/api/view?filename=a.mp4", "name only"],
  ["a workflow", "application/json", "http://127.0.0.1/api/view?filename=a.json", "workflow"],
  ["a text without a letter", "text/plain", "data:text/plain,", "empty"],
  ["a text", "text/plain", "data:text/plain,hello", undefined],
])("says of %s what becomes of it", (_, mimeType, data, words) => {
  expect(attachedNote([{ type: "file", mimeType, data }])?.words).toBe(words);
});

it("says nothing of a picture that the model sees, and of a file that is not there yet", () => {
  expect(attachedNote([{ type: "image", image: "data:image/jpeg;base64,AAAA" }])).toBeUndefined();
  expect(attachedNote(undefined)).toBeUndefined();
});
