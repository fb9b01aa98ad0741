import { describe, expect, it } from "vitest";
import { completionsFor } from "./completions";

const neon = { name: "neon-look", title: "Neon Look", description: "" };
const portrait = { name: "skill-14636e79", title: "人像", description: "" };
const unread = { name: "own/skills/empty", description: "It holds no SKILL.md.", isDead: true };
const choices = {
  skill: ["reading-errors", "image-basics", "basic-video"].map((name) => ({ name, description: "" })),
  context: [{ name: "clear", description: "", isComplete: true }],
};

const offered = (text: string) => completionsFor(text, choices).map(({ text }) => text);

describe("completionsFor", () => {
  it.each([
    [
      "commands after a slash, ready for what they need",
      "/co",
      ["/context", "/compact", "/costs", "/config"],
    ],
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
    ["nothing for what no skill is called", "/skill make it neon", []],
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
      "/skills",
      "/context",
      "/compact",
      "/goals",
      "/you",
      "/persona",
      "/model",
      "/provider",
      "/history",
      "/files",
      "/memory",
      "/trace",
      "/costs",
      "/config",
      "/settings",
    ]);
  });

  it.each([
    ["its first letter", "n"],
    ["the words of its name", "neon l"],
    ["its name as it is written", "Neon Look"],
    ["its slug", "neon-"],
  ])("offers a skill by %s", (_, typed) => {
    const offered = completionsFor(`/skill ${typed}`, { skill: [portrait, neon] });
    expect(offered.map(({ text }) => text)).toEqual(["/skill neon-look "]);
  });

  it("offers a skill by a name in any letters", () => {
    const offered = completionsFor("/skill 人", { skill: [neon, portrait] });
    expect(offered.map(({ text }) => text)).toEqual(["/skill skill-14636e79 "]);
  });

  it("shows what is not read, and chosen it opens the list that says more", () => {
    expect(completionsFor("/skill emp", { skill: [neon, unread] })).toEqual([
      {
        id: "own/skills/empty",
        label: "own/skills/empty",
        description: "It holds no SKILL.md.",
        text: "/skill",
        submits: true,
      },
    ]);
  });

  it("finds what is not read by a path of any letters", () => {
    const offered = completionsFor("/skill neo", { skill: [{ ...unread, name: "own/skills/Neon" }] });
    expect(offered).toMatchObject([{ label: "own/skills/Neon" }]);
  });

  it("finds what is held back by its name", () => {
    const held = { ...unread, name: "own/skills/x1/SKILL.md", title: "人像" };
    expect(completionsFor("/skill 人", { skill: [held] })).toMatchObject([{ label: held.name }]);
  });

  it("carries out a choice at once that completes its command", () => {
    expect(completionsFor("/context c", choices)).toMatchObject([{ text: "/context clear", submits: true }]);
  });
});
