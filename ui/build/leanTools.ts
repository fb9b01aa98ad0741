import type { Plugin } from "vite";

const TOOLS = /\/src\/tools\/.+\.tsx?$/;
const DESCRIPTION = /(\bdescription:\s*|Argument\(\s*)(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g;

/** What models read of tools is in `contract/tools.json`, which the server sends them; the panel shows none of it. */
export const leanTools: Plugin = {
  name: "lean-tools",
  enforce: "pre",
  transform(code, id) {
    return TOOLS.test(id) ? { code: code.replaceAll(DESCRIPTION, '$1""'), map: null } : null;
  },
};
