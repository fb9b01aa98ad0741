/** Citations as elements: not in code and links, where `[3]` is something else. */

import { NUMBER, numbersOf, RUN } from "./citedNumbers";

/** What this needs of mdast, Markdown as a tree. */
interface Node {
  type: string;
  value?: string;
  children?: Node[];
  data?: { hName: string; hProperties: Record<string, unknown> };
}

const LONGEST_SENTENCE = 600;
const BLOCKS = new Set(["paragraph", "heading", "tableCell"]);
const CLOSED = new Set([
  "link",
  "linkReference",
  "definition",
  "footnoteReference",
  "code",
  "inlineCode",
  "html",
]);

/** A remark plugin: each number is a `cite` element, with the sentence that it stands in. */
export function citations() {
  return (tree: unknown) => visit(tree as Node);
}

function visit(node: Node) {
  if (BLOCKS.has(node.type)) link(node, { text: textOf(node), at: 0 });
  else for (const child of node.children ?? []) visit(child);
}

/** `block` is the text that the node lies in, and where in it the node begins. */
function link(node: Node, block: { text: string; at: number }) {
  if (CLOSED.has(node.type)) {
    block.at += textOf(node).length;
    return;
  }
  node.children = node.children?.flatMap((child) => {
    if (child.type !== "text") {
      link(child, block);
      return child;
    }
    const start = block.at;
    block.at += child.value?.length ?? 0;
    return pieces(child.value ?? "", (index, length) => sentence(block.text, start + index, length));
  });
  if (!node.children) block.at += node.value?.length ?? 0;
}

/** A text around its citations. */
function pieces(value: string, near: (index: number, length: number) => string): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  const add = (text: string) => text && nodes.push({ type: "text", value: text });
  for (const { 0: run, index } of value.matchAll(RUN)) {
    const about = near(index, run.length);
    for (const { 0: bracket, index: begin } of run.matchAll(/\[[^\]]*\]/g)) {
      const at = index + begin;
      const numbers = [...bracket.matchAll(NUMBER)];
      if (numbers.length === 1) {
        add(value.slice(end, at));
        nodes.push(cite(bracket, bracket, about));
      } else {
        for (const { 0: number, index: inside } of numbers) {
          add(value.slice(end, at + inside));
          nodes.push(cite(number, number, about));
          end = at + inside + number.length;
        }
        add("]");
      }
      end = at + bracket.length;
    }
  }
  add(value.slice(end));
  return nodes;
}

function cite(text: string, number: string, near: string): Node {
  const hProperties = { dataDocument: numbersOf(number)[0], dataNear: near };
  return {
    type: "citation",
    data: { hName: "cite", hProperties },
    children: [{ type: "text", value: text }],
  };
}

/** The sentence that a citation stands in or right after, without any citations. */
function sentence(text: string, index: number, length: number): string {
  const before = text.slice(0, index).replace(RUN, "").trimEnd();
  const begin = /^[\s\S]*(?:[.!?](?=\s)|[。！？\n])/.exec(before.slice(0, -1))?.[0].length ?? 0;
  const after = text.slice(index + length).replace(RUN, "");
  const rest = /[.!?。！？]$/.test(before) ? "" : (/^(?:[^.!?。！？\n]|[.!?](?=\S))*/.exec(after)?.[0] ?? "");
  return `${before.slice(begin)}${rest}`.trim().slice(-LONGEST_SENTENCE);
}

const textOf = ({ value, children }: Node): string => value ?? children?.map(textOf).join("") ?? "";
