import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const FOLDER = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENCE_FILE = /^(licen[cs]e|notice|copying)(\.|-|$)/i;

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  repository: z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]).default(""),
});

export interface Package extends z.infer<typeof manifest> {
  /** The texts of its licence and notice files; none where the package brings none. */
  texts: string[];
}

/** The folder of the package that a module's file belongs to; undefined for our own. */
export function packageFolder(id: string): string | undefined {
  return FOLDER.exec(id.replaceAll("\\", "/"))?.[1];
}

export function readPackage(folder: string): Package {
  const facts = manifest.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const files = readdirSync(folder).filter((name) => LICENCE_FILE.test(name));
  const texts = files.sort().map((name) => readFileSync(join(folder, name), "utf8"));
  return { ...facts, texts: texts.map((text) => text.replaceAll("\r\n", "\n").trim()) };
}
