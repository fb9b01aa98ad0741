import { describe, expect, it } from "vitest";
import { completionsFor } from "./completions";

const choices = {
  skill: ["reading-errors", "image-basics", "basic-video"].map((name) => ({ name, description: "" })),
  context: [{ name: "clear", description: "", isComplete: true }],
};

const offered = (text: string) => completionsFor(text, choices).map(({ text }) => text);

describe("completionsFor", () => {
  it.each([
    ["commands after a slash, ready for what they need", "/co", ["/context", "/compact", "/config"]],
    ["a command that needs something with a space to type it after", "/pi", ["/pin "]],
    ["what can stand after a command", "/context ", ["/context clear"]],
    ["commands that begin with what was typed", "/N", ["/new"]],
    [
      "every skill after the command",
      "/skill ",
      ["/skill reading-errors ", "/skill image-basics ", "/skill basic-video "],
    ],
    [
      "skills that begin with the word before others",
      "/skill basic",
      ["/skill basic-video ", "/skill image-basics "],
    ],
    ["nothing for a skill that is complete", "/skill image-basics", []],
    ["nothing once the message goes on", "/skill image-basics make", []],
    ["nothing for text", "help", []],
    ["nothing for a path", "/home/me", []],
  ])("offers %s", (_, text, expected) => {
    expect(offered(text)).toEqual(expected);
  });

  it("carries out a command without argument at once", () => {
    const submitted = completionsFor("/", {}).filter(({ submits }) => submits);
    expect(submitted.map(({ text }) => text)).toEqual([
      "/help",
      "/new",
      "/context",
      "/compact",
      "/goals",
      "/trace",
      "/config",
    ]);
  });

  it("carries out a choice at once that completes its command", () => {
    expect(completionsFor("/context c", choices)).toMatchObject([{ text: "/context clear", submits: true }]);
  });
});
