import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, it, vi } from "vitest";
import { citedNumbers } from "./citedNumbers";
import { DocumentsInChat } from "./documentsInChat";
import { Markdown } from "./Markdown";

beforeAll(() => {
  vi.stubGlobal("document", { baseURI: "http://127.0.0.1:8188/" });
});

const titles = new Map([
  [1, "style.md"],
  [3, "book.md"],
]);

const html = (text: string) =>
  renderToStaticMarkup(
    <DocumentsInChat value={{ titles, open: () => undefined }}>
      <Markdown text={text} />
    </DocumentsInChat>,
  );

const links = (text: string) =>
  [...html(text).matchAll(/<button[^>]*class="cass-citation" title="([^"]*)"[^>]*>([^<]*)</g)].map(
    ([, title, words]) => `${words} ${title}`,
  );

it.each([
  ["A wide lens bends it [3].", ["[3] book.md"]],
  ["It bends.[3]", ["[3] book.md"]],
  ["Both say so [1][3].", ["[1] style.md", "[3] book.md"]],
  ["Both say so [1, 3].", ["1 style.md", "3 book.md"]],
  ["As **it says [3]**, and [d1] too", ["[3] book.md", "[d1] style.md"]],
  ["- one [1]\n- two [3]", ["[1] style.md", "[3] book.md"]],
  ["| a | b |\n|---|---|\n| x [3] | y |", ["[3] book.md"]],
  ["# Lenses [3]", ["[3] book.md"]],
])("links the citations of %j", (text, expected) => {
  expect(links(text)).toEqual(expected);
});

it.each([
  ["a document that there is not", "See [2] and [7]."],
  ["code", "Run `list[3]` or `[3]`:\n\n```js\na = [3];\nb[1] = c[3]\n```"],
  ["an index", "Take nodes[3] and nodes[0][1], not $[3] or [3].title."],
  ["a footnote", "So it is.[^3]\n\n[^3]: A note."],
  ["a link", "[3](https://good.example) and [see [3] there](https://good.example)"],
  ["a link whose address stands below", "[3]: https://good.example\nIt is [3]."],
  ["a task", "- [x] done\n- [ ] 3"],
])("makes no link of %s", (_, text) => {
  expect(links(text)).toEqual([]);
});

it("leaves the words as they are", () => {
  expect(html("Both [1, 3], [9] and `[3]`.").replace(/<[^>]*>/g, "")).toBe("Both [1, 3], [9] and [3].");
  expect(renderToStaticMarkup(<Markdown text="Without documents [3]." />)).not.toContain("<button");
});

it.each([
  ["Light is soft. A wide lens bends it [3]. Dusk is blue.", "A wide lens bends it"],
  ["Light is soft. A wide lens bends it.[3] Dusk is blue.", "A wide lens bends it."],
  ["It says in [3] that f/2.8 is soft. Dusk is blue.", "It says in that f/2.8 is soft"],
  ["A *wide* lens [1][3] bends `it` much.", "A wide lens bends it much"],
  ["灯塔很高。广角镜头弯曲它[3]。", "广角镜头弯曲它"],
])("finds the sentence that cites: %s", async (text, near) => {
  const opened: string[] = [];
  const { citations } = await import("./citations");
  const { default: ReactMarkdown } = await import("react-markdown");
  renderToStaticMarkup(
    <ReactMarkdown
      remarkPlugins={[citations]}
      components={{
        cite: (props) => {
          opened.push((props as { "data-near"?: string })["data-near"] ?? "");
          return null;
        },
      }}
    >
      {text}
    </ReactMarkdown>,
  );
  expect(opened.at(-1)).toBe(near);
});

it("knows which documents a text cites without reading it as Markdown", () => {
  expect(citedNumbers("One [1], two [3, 4] and nodes[5].")).toEqual([1, 3, 4]);
});
