import { expect, it } from "vitest";
import { processorTime } from "../../shared/testGrowth";
import { leavesOwnFolders, namesAddress, namesPlace } from "./waysOut";

it.each([
  "/etc/passwd",
  "  /tmp/x",
  "~/secrets",
  "~",
  "C:\\Windows",
  "c:/windows",
  "\\\\server\\share",
  "../custom_nodes/evil.py",
  "a/../../b",
  "..\\b",
  "first\n/second",
  '"/quoted"',
  "--out ../x",
  "custom_nodes/evil.py",
  "/view?filename=../../x",
  "/view?a/b",
])("takes %j for a place on the disk", (text) => {
  expect(namesPlace(text)).toBe(true);
});

it.each([
  "output/a",
  "a cat, 16:9",
  "wait... what",
  "1/2",
  "models\\sub\\x.safetensors",
  "~ about ~",
  "%date:yyyy%",
  "/",
  "\\n",
  "/api/view?filename=a.png&type=temp",
])("takes %j for none", (text) => {
  expect(namesPlace(text)).toBe(false);
});

it.each(["https://a.example", "see ftp://b", "custom+x://y"])("takes %j for an address", (text) => {
  expect(namesAddress(text)).toBe(true);
});

it.each(["a cat", "a :// b", "12:30", "//comment"])("takes %j for no address", (text) => {
  expect(namesAddress(text)).toBe(false);
});

it("knows ComfyUI's own folders by their names", () => {
  expect(["output/a", "temp", "input\\b"].some(leavesOwnFolders)).toBe(false);
  expect(["a", "custom_nodes/x.py", "output/../x", "/x"].every(leavesOwnFolders)).toBe(true);
});

it.each([..."ab /\\.:~\"'=-+0\n\t,;(é", "a/", "../", "a:", ".a", "/\n", "x:/"])(
  "reads a megabyte of %j in about the time that it takes to look for a word in it",
  (letters) => {
    // Joined at once: a repeated text is put together by who reads it first.
    const text = Array.from({ length: 1_000_000 / letters.length }, () => letters).join("");
    const took = (read: (text: string) => unknown) => {
      const tries = Array.from({ length: 3 }, () => {
        const began = processorTime();
        read(text);
        return processorTime() - began;
      });
      return Math.min(...tries);
    };
    const looked = took((each) => /none of these/i.test(each));
    for (const look of [namesPlace, namesAddress, leavesOwnFolders])
      expect(took(look)).toBeLessThan(50 * Math.max(looked, 1));
  },
);
