import { describe, expect, it } from "vitest";
import { parseSlash } from "./parseSlash";

describe("parseSlash", () => {
  it.each([
    ["plain text", "make a red image"],
    ["a path", "/home/me/wf.json please load"],
    ["a path of one folder with a file", "/tmp/wf.json"],
    ["a lone slash", "/"],
    ["a slash in the middle", "and/or"],
    ["a comment", "// note"],
    ["a number", "/2 of the width"],
    ["nothing", ""],
  ])("sends %s as a message", (_, text) => {
    expect(parseSlash(text)).toEqual({ kind: "message" });
  });

  it.each([
    ["/help", "help", ""],
    ["  /new  ", "new", ""],
    ["/Skill image-basics", "skill", "image-basics"],
    ["/skill image-basics make it red\nand save", "skill", "image-basics make it red\nand save"],
    ["/skill", "skill", ""],
  ] as const)("reads the command in %j", (text, name, argument) => {
    expect(parseSlash(text)).toEqual({ kind: "command", name, argument });
  });

  it("reports a word that is no command", () => {
    expect(parseSlash("/halp me")).toEqual({ kind: "unknown", name: "halp" });
  });
});
