import type { Plugin } from "vite";
import { type Package, packageFolder, readPackage } from "./packages.ts";

const FILE = "THIRD-PARTY-LICENSES.txt";
const RULE = "-".repeat(78);

/** Writes the licence texts of all packages of which something is in the bundle. */
export const thirdPartyLicenses: Plugin = {
  name: "third-party-licenses",
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((file) =>
      file.type === "chunk" ? Object.keys(file.modules) : [],
    );
    const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== undefined));
    this.emitFile({ type: "asset", fileName: FILE, source: licenseTexts([...folders].map(readPackage)) });
  },
};

/**
 * One section for each text, under the packages that it holds for. A package without a text has that of another one
 * with the same licence from the same repository.
 *
 * Throws an Error that names the package where there is none.
 */
export function licenseTexts(packages: readonly Package[]): string {
  const sections = new Map<string, Package[]>();
  for (const each of packages.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const texts = each.texts.length > 0 ? each.texts : sibling(each, packages).texts;
    const text = texts.join("\n\n");
    sections.set(text, [...(sections.get(text) ?? []), each]);
  }
  const written = [...sections].map(([text, of]) => {
    const names = of.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return `${RULE}\n${names.join("\n")}\n${RULE}\n\n${text}\n`;
  });
  return ["The panel in this folder contains code of the packages below.\n", ...written].join("\n");
}

function sibling(without: Package, packages: readonly Package[]): Package {
  const other = packages.find(
    ({ license, repository, texts }) =>
      texts.length > 0 && license === without.license && repository === without.repository,
  );
  if (other === undefined)
    throw new Error(
      `${without.name} ${without.version} (${without.license}) brings no licence text, and no package of ${without.repository || "its repository"} does; find one or leave the package out.`,
    );
  return other;
}
