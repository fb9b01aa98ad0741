import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = import.meta.dirname;

/** Who wrote the sentences that a file may search, since they come without a code. */
const othersWords: Record<string, string> = {
  "api/errors.ts": "browsers",
  "chat/calls/endedByAssistantUi.ts": "assistant-ui",
  "comfy/live/running/history.ts": "ComfyUI",
};

/** What sentences of ours are called, as fields and variables. */
const sentence = "error|errorText|message|summary|hint";

/** Each place in a source that looks for words in a sentence that was made for a reader. */
function sentencesReadBack(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const given = [
    ...code.matchAll(new RegExp(`\\b(?:const|let) (\\w+) = [\\w.?]*\\.(?:${sentence})\\b(?! *\\()`, "g")),
    ...code.matchAll(new RegExp(`\\b(?:${sentence}): (\\w+)(?=[^;{}]*\\} =)`, "g")),
  ].map(([, name]) => name);
  const names = [sentence, ...given].join("|");
  const value = `(?<![\\w"'])(?:${names})\\)?\\??`;
  const searches = "startsWith|endsWith|includes|match|matchAll|search|split|indexOf|lastIndexOf";
  const patterns = [
    `${value}\\s*\\.\\s*(?:${searches})\\(`,
    `\\.(?:test|exec)\\(\\s*(?:[\\w?]+\\.)*(?:${names})\\s*(?:\\?\\?[^)]*)?\\)`,
    `${value}\\s*[!=]==\\s*["'\`][^"'\`]* `,
    `\\w\\[\\s*(?:[\\w?]+\\.)*(?:${names})\\s*\\]`,
  ];
  return [...code.matchAll(new RegExp(patterns.join("|"), "g"))].map(([place]) => place);
}

it("lets only sentences of others be searched: what a program needs to know is a field or a code", () => {
  const places = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\.d\.ts$/.test(path))
    .map((path) => ({ path, lines: sentencesReadBack(readFileSync(join(root, path), "utf8")) }))
    .filter(({ lines }) => lines.length > 0);
  expect(places.filter(({ path }) => !(path in othersWords))).toEqual([]);
  expect(Object.keys(othersWords)).toEqual(places.map(({ path }) => path).toSorted());
});

it.each([
  'if (error.startsWith("The user declined: ")) return "declined";',
  "/\\bstopped by the user\\b/i.test(error)",
  "/^Not run/.exec(result.error)",
  "const why = result.error;\nwhy.includes('stopped')",
  'const { error: why } = result;\nwhy.split(" ")',
  'error === "Stopped by the user."',
  "const reason = reasons[failure.error];",
  '/\\bnew chat\\b/i.test(hint ?? "")',
])("finds a sentence that is searched: %s", (source) => {
  expect(sentencesReadBack(source)).toHaveLength(1);
});

it.each([
  'details.code === "key_refused"',
  "result.error + result.hint",
  "[error, hint].join(' ')",
  'message.role === "user"',
  'hint === ""',
])("lets fields, codes and sentences that are only told be: %s", (source) => {
  expect(sentencesReadBack(source)).toEqual([]);
});
