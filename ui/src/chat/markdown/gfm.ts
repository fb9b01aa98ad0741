/** GitHub's extensions of Markdown, read only: the package remark-gfm would bring along what writes them. */

import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm as gfmSyntax } from "micromark-extension-gfm";

/** What plugins leave for the parser, as remark-parse reads it. */
interface ParserData {
  micromarkExtensions?: unknown[];
  fromMarkdownExtensions?: unknown[];
}

/** A remark plugin: tables, task lists, strikethrough, footnotes and bare links. */
export function gfm(this: { data(): unknown }): undefined {
  const data = this.data() as ParserData;
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfmSyntax()];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()];
}
