import { useLazyPart } from "../../shared/LazyView";
import { createLazyPart } from "../../shared/lazyPart";

/** The markdown renderer is the largest thing that an empty chat does not need. */
export const markdownPart = createLazyPart(async () => (await import("./Markdown")).Markdown);

/** Markdown, as plain text until its renderer has come; `LazyFailure` tells when it never does. */
export function LazyMarkdown({ text }: { text: string }) {
  const state = useLazyPart(markdownPart);
  if (state.kind !== "ready") return <div className="cass-markdown cass-markdown-source">{text}</div>;
  const Markdown = state.part;
  return <Markdown text={text} />;
}
