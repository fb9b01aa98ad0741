import { expect, it } from "vitest";
import { submissionOf } from "./submission";

function submit(text: string) {
  const effects: string[] = [];
  const submission = submissionOf(text, {
    showHelp: () => effects.push("help"),
    newChat: (text) => {
      effects.push(`new: ${text}`);
      return "";
    },
  });
  return { ...submission, effects };
}

it.each(["make it red", "/home/me/wf.json please load", "/skill image-basics make it red"])(
  "sends %j as plain text",
  (text) => {
    expect(submit(text)).toEqual({ kind: "send", effects: [] });
  },
);

it("answers /help in the panel", () => {
  expect(submit("/help")).toEqual({ kind: "done", text: "", effects: ["help"] });
});

it("takes what follows /new along into the new chat", () => {
  expect(submit("/new draw a cat")).toEqual({ kind: "done", text: "", effects: ["new: draw a cat"] });
});

it.each(["/halp", "/skill"])("keeps %j and says what is missing", (text) => {
  expect(submit(text)).toMatchObject({ kind: "keep", hint: expect.stringMatching(/\S/), effects: [] });
});
