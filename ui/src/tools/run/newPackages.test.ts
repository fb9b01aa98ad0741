import { describe, expect, it } from "vitest";
import { createFakeComfy } from "../../comfy/fake";
import type { Json } from "../../graph/graph";
import { definition, ofPackage } from "../testing/risks";
import {
  newPackagesOf,
  nodesOfNewPackages,
  packageWords,
  trustedPackages,
  trustPackages,
} from "./newPackages";

const comfy = createFakeComfy({
  definitions: [
    definition("EmptyImage"),
    definition("Helper", ofPackage),
    definition("Other", { origin: "b" }),
  ],
});
const nobody: ReadonlySet<string> = new Set();
const prompt = (type: string, inputs: Record<string, Json> = {}) => ({ "1": { class_type: type, inputs } });

/** Ways in which a value said what it does while a look at it saw nothing. */
const hidden: Record<string, Record<string, Json>> = {
  "two widgets that make one path": { folder: "/et", file: "c/passwd" },
  "a path without its first sign": { path: "etc/passwd" },
  base64: { text: btoa("/etc/passwd") },
  hexadecimal: { text: "2f6574632f706173737764" },
  base32: { text: "F5SXIYZPOBQXG43XMQ======" },
  rot13: { text: "/rgp/cnffjq".slice(1) },
  "the text turned round": { text: "dwssap/cte" },
  "a list of codes": { codes: [47, 101, 116, 99] },
  "chr of Python": { text: "chr(47)+chr(101)" },
  "getattr of Python": { text: "getattr(o, 's'+'ystem')('id')" },
  "attr of Jinja": { text: "{{ ''|attr('__cl'~'ass__') }}" },
  "an import in pieces": { text: "__imp" + "ort__('o'+'s')" },
  "a host that ends as a script does": { text: "evil.sh/x" },
  "a host that ends as an archive does": { text: "evil.zip/x" },
  "an address without its scheme": { text: "evil.test" },
  "the number of a host": { host: 2130706433 },
  "a variable of the system": { text: "$HOME" },
  "a name that means something to the package": { mode: "everything" },
  nothing: {},
};

describe("a node of a package that is not trusted is found", () => {
  it.each(Object.entries(hidden))("whatever its values hide: %s", (_, inputs) => {
    const found = nodesOfNewPackages(comfy, [prompt("Helper", inputs)], nobody);
    expect(found).toMatchObject([
      { node: "1", type: "Helper", origin: "a-package", risk: "is of a new package" },
    ]);
  });

  it("and none of ComfyUI's own, nor of a package that is", () => {
    expect(nodesOfNewPackages(comfy, [prompt("EmptyImage")], nobody)).toEqual([]);
    expect(nodesOfNewPackages(comfy, [prompt("Helper")], new Set(["a-package"]))).toEqual([]);
  });

  it("once for all runs of a call, by package and with its nodes", () => {
    const nodes = { ...prompt("Helper"), "2": { class_type: "Other", inputs: {} } };
    const packages = newPackagesOf(nodesOfNewPackages(comfy, [nodes, nodes], nobody));
    expect([...packages].map(([origin, each]) => packageWords(origin, each))).toEqual([
      "a-package: Helper (1).",
      "b: Other (2).",
    ]);
  });
});

it("asks the server which are trusted, takes none where it does not say, and tells it of more", async () => {
  const asked: unknown[] = [];
  const trusted = await trustedPackages(async () => ({ ok: true, value: { packages: ["b"] } }));
  expect([...trusted]).toEqual(["b"]);
  for (const value of [undefined, { packages: "b" }])
    expect(await trustedPackages(async () => ({ ok: true, value }))).toEqual(nobody);
  expect(await trustedPackages(undefined)).toEqual(nobody);
  await trustPackages(
    async (...call) => {
      asked.push(call);
      return { ok: true, value: {} };
    },
    ["a"],
  );
  expect(asked).toEqual([["PUT", "/assistant/trusted-packages", { packages: ["a"] }]]);
});
