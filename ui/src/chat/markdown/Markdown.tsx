import {
  type ComponentProps,
  isValidElement,
  memo,
  type ReactElement,
  type ReactNode,
  useContext,
  useState,
} from "react";
import ReactMarkdown, { type Components, type ExtraProps } from "react-markdown";

import { CopyButton } from "../../ui/CopyButton";
import { ImageThumbnail } from "../../ui/ImageThumbnail";
import { createBlockSplitter } from "./blocks";
import { citations } from "./citations";
import { DocumentsInChat } from "./documentsInChat";
import { gfm } from "./gfm";
import { shownImage } from "./imageSource";
import { hostToTell } from "./linkHost";

const plugins = [gfm, citations];

/** Each of these is set from the right where its text is, whatever stands around it. */
const textBlocks = ["ul", "ol", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th"] as const;

const components: Components = {
  ...Object.fromEntries(
    textBlocks.map((Tag) => [Tag, ({ node: _, ...rest }: ExtraProps) => <Tag dir="auto" {...rest} />]),
  ),
  a: ({ href = "", children }) => <Link href={href}>{children}</Link>,
  cite: Citation,
  img: MarkdownImage,
  pre: CodeBlock,
  table: ({ children }) => (
    <div className="cass-table">
      <table>{children}</table>
    </div>
  ),
};

/** Markdown that may still be growing; finished blocks are not rendered again. */
export function Markdown({ text }: { text: string }) {
  const [split] = useState(createBlockSplitter);
  return (
    <div className="cass-markdown">
      {split(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever appended
        <Block key={index} text={block} />
      ))}
    </div>
  );
}

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  );
});

/** With the host that it leads to where its words could be taken for another. */
function Link({ href, children }: { href: string; children: ReactNode }) {
  const host = hostToTell(textOf(children), href, document.baseURI);
  return (
    <>
      <a href={href} title={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
      {host && ` (${host})`}
    </>
  );
}

/** What is read of them, however it is set. */
function textOf(children: ReactNode): string {
  if (typeof children === "string" || typeof children === "number") return String(children);
  if (Array.isArray(children)) return children.map(textOf).join("");
  if (!isValidElement<{ children?: ReactNode; alt?: string }>(children)) return "";
  return `${children.props.alt ?? ""}${textOf(children.props.children)}`;
}

/** A number opens its document; of one that the chat does not have, it is a word like any other. */
function Citation({ children, ...cited }: ComponentProps<"cite">) {
  const { "data-document": number = 0, "data-near": near = "" } = cited as {
    "data-document"?: number;
    "data-near"?: string;
  };
  const documents = useContext(DocumentsInChat);
  const title = documents?.titles.get(number);
  if (!documents || title === undefined) return children;
  return (
    <button
      type="button"
      className="cass-citation"
      title={title}
      aria-label={`Open document ${number}, ${title}`}
      onClick={() => documents.open(number, near)}
    >
      {children}
    </button>
  );
}

function MarkdownImage({ src, alt }: ComponentProps<"img">) {
  const shown = shownImage(typeof src === "string" ? src : undefined, document.baseURI);
  const name = alt || "image";
  if (shown) return <ImageThumbnail src={shown} alt={name} />;
  return <Link href={typeof src === "string" ? src : ""}>{name} (image on another site, not loaded)</Link>;
}

function CodeBlock({ children }: ComponentProps<"pre">) {
  const code = children as ReactElement<{ className?: string; children?: unknown }> | undefined;
  const language = /language-([\w+-]+)/.exec(code?.props.className ?? "")?.[1] ?? "";
  return (
    <div className="cass-sunken cass-code">
      <pre>{children}</pre>
      <div className="cass-code-bar">
        <span>{language}</span>
        <CopyButton label="Copy code" text={() => String(code?.props.children ?? "").replace(/\n$/, "")} />
      </div>
    </div>
  );
}
