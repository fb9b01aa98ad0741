import type { Plugin } from "vite";

/**
 * The attributes of SVG take a tenth of what formats answers. Answers hold no raw HTML that could have an `<svg>`:
 * react-markdown leaves it out.
 */
export const leanMarkdown: Plugin = {
  name: "lean-markdown",
  enforce: "pre",
  load: (id) =>
    id.endsWith("/property-information/lib/svg.js") ? 'export { html as svg } from "./html.js";' : null,
};
