import type { Plugin } from "vite";

const SCHEMAS = "/zod/v4/classic/schemas.js";
const CONVERTERS = "/zod/v4/core/json-schema-processors.js";
/** Those of texts that nothing in the panel asks for: addresses, ids, times. */
const FORMATS = /^ {4}\w+\(params\) \{\s+return this\.check\(core\._\w+\(Zod\w+, params\)\);\s+\},$/gm;
const AI_SDK = "/@ai-sdk/provider-utils/dist/index.js";
const CONVERT_ZOD_3 = /zod3ToJsonSchema\(zodSchema, \{.*?\}\)/;
const CONVERT = "export function toJSONSchema(";

/**
 * Each schema of zod can tell itself as JSON Schema, and the AI SDK could ask for that, of schemas of zod 3 too. In the
 * panel nobody does: the server has the tools' schemas from `contract/tools.json`. And each text could be checked for
 * being an address, an id or a time. Without the ways in, the bundler drops the converters and the formats.
 */
export const leanZod: Plugin = {
  name: "lean-zod",
  enforce: "pre",
  transform(code, id) {
    if (id.endsWith(SCHEMAS)) return { code: withoutJsonSchema(code), map: null };
    if (id.endsWith(AI_SDK)) return { code: code.replace(CONVERT_ZOD_3, "({})"), map: null };
    if (id.endsWith(CONVERTERS)) return { code: withoutConversion(code), map: null };
    return null;
  },
};

function withoutJsonSchema(code: string): string {
  return code
    .replaceAll(/^ *inst\._zod\.processJSONSchema = .*;$/gm, "")
    .replaceAll(/create(?:Standard|To)JSONSchemaMethod\(this, .*?\)/g, "undefined")
    .replaceAll(FORMATS, "");
}

/** The conversion is the last of the file. */
function withoutConversion(code: string): string {
  const start = code.indexOf(CONVERT);
  if (start < 0) throw new Error(`zod's ${CONVERTERS} has no "${CONVERT}" any more: see build/leanZod.ts.`);
  return `${code.slice(0, start)}${CONVERT}) { throw new Error("The panel has no JSON Schema."); }`;
}
