import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = import.meta.dirname;

/** Which folders of `src` a file of each folder may import, besides its own. */
const arrows: Record<string, readonly string[]> = {
  shared: [],
  graph: ["shared"],
  comfy: ["shared", "graph"],
  tools: ["shared", "graph", "comfy"],
  api: ["shared"],
  chat: ["shared", "api"],
  slash: ["shared", "api"],
  context: ["shared", "api"],
  settings: ["shared", "api"],
  you: ["shared", "api"],
  skills: ["shared", "api"],
  costs: ["shared", "api"],
  memory: ["shared", "api"],
  files: ["shared", "api"],
  onboarding: ["shared", "api"],
  repair: ["shared", "graph", "comfy"],
  app: [
    ...["shared", "graph", "comfy", "tools", "api"],
    ...[
      "chat",
      "slash",
      "context",
      "settings",
      "you",
      "skills",
      "costs",
      "memory",
      "files",
      "onboarding",
      "repair",
      "contract",
    ],
  ],
  "main.tsx": ["app", "comfy"],
};

/** The only files that may know ComfyUI's page. */
const hostFiles = new Set(["main.tsx", "comfy/live.ts"]);

const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /\.tsx?$/.test(path) && !/^[^/]+\.test\.ts$|\.d\.ts$/.test(path));

const contents = (path: string) => readFileSync(join(root, path), "utf8");

const importsOf = (path: string) =>
  [...contents(path).matchAll(/(?:from\s+|import\s*\(\s*|import\s+)["']([^"']+)["']/g)].map(
    ([, specifier]) => specifier ?? "",
  );

/** What Python writes for the panel is a folder of its own, beside `ui`. */
const folderOf = (path: string) => path.replace(/^(\.\.\/){2}(?=contract\/)/, "").split("/")[0] ?? path;

describe("import arrows", () => {
  it("knows every folder and root file of src", () => {
    const unknown = [...new Set(sources.map(folderOf))].filter((folder) => !(folder in arrows));
    expect(unknown).toEqual([]);
  });

  it("lets a file import only its own folder and those its arrow names", () => {
    const wrong = sources.flatMap((path) =>
      importsOf(path)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) =>
          relative(root, resolve(dirname(join(root, path)), specifier)).replaceAll("\\", "/"),
        )
        .filter(
          (target) =>
            folderOf(target) !== folderOf(path) && !arrows[folderOf(path)]?.includes(folderOf(target)),
        )
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("leaves ComfyUI's page to the entry and to comfy/live.ts", () => {
    const touching = sources.filter(
      (path) =>
        !hostFiles.has(path) &&
        !path.includes(".test.") &&
        /\b(?:window|globalThis)\.(?:app|LiteGraph|graph|comfyAPI)\b|["']\/scripts\//.test(contents(path)),
    );
    expect(touching).toEqual([]);
  });
});
