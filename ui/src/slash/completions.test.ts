import { describe, expect, it } from "vitest";
import { completionsFor } from "./completions";

const skills = [
  { slug: "reading-errors", description: "" },
  { slug: "image-basics", description: "" },
  { slug: "basic-video", description: "" },
];

const offered = (text: string) => completionsFor(text, skills).map(({ text }) => text);

describe("completionsFor", () => {
  it.each([
    ["every command after a slash", "/", ["/help", "/new", "/skill "]],
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
    expect(completionsFor("/", []).map(({ submits }) => submits)).toEqual([true, true, false]);
  });
});
