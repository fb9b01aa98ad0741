import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Package } from "./packages.ts";
import { licenseTexts } from "./thirdPartyLicenses.ts";

const written: Package = {
  name: "written",
  version: "1.0.0",
  license: "MIT",
  repository: "example/one",
  texts: ["MIT, by somebody"],
};
const bare: Package = { ...written, name: "bare", texts: [] };

describe("the licence texts beside the panel", () => {
  it("stand once under all packages that they hold for", () => {
    const text = licenseTexts([written, { ...written, name: "another" }]);
    expect(text.split("MIT, by somebody")).toHaveLength(2);
    expect(text).toContain("another 1.0.0 (MIT)\nwritten 1.0.0 (MIT)");
  });

  it("serve a package of the same repository that brings none", () => {
    expect(licenseTexts([bare, written])).toContain("bare 1.0.0 (MIT)");
  });

  it("stop the build where a package has none", () => {
    expect(() => licenseTexts([{ ...bare, repository: "example/two" }, written])).toThrow(
      "bare 1.0.0 (MIT) brings no licence text",
    );
  });

  it("are committed for every library that the panel depends on", () => {
    const ui = join(import.meta.dirname, "..");
    const { dependencies } = JSON.parse(readFileSync(join(ui, "package.json"), "utf8"));
    const committed = readFileSync(join(ui, "../js/THIRD-PARTY-LICENSES.txt"), "utf8");
    const missing = Object.keys(dependencies).filter(
      (name) => !committed.includes(`\n${name} ${dependencies[name]} (`),
    );
    // It has no code of its own: it only passes on what @assistant-ui/ai-sdk exports.
    expect(missing).toEqual(["@assistant-ui/react-ai-sdk"]);
  });
});
