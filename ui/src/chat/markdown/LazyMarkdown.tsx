import { createLazyChunk } from "../../shared/lazyChunk";
import { useLazyChunk } from "../../ui/LazyView";

/** The markdown renderer is the largest thing that an empty chat does not need. */
export const markdownChunk = createLazyChunk(async () => (await import("./Markdown")).Markdown);

/** Markdown, as plain text until its renderer has come; `LazyFailure` tells when it never does. */
export function LazyMarkdown({ text }: { text: string }) {
  const state = useLazyChunk(markdownChunk);
  if (state.kind !== "ready") return <div className="cass-markdown cass-markdown-source">{text}</div>;
  const Markdown = state.content;
  return <Markdown text={text} />;
}
