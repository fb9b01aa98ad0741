import { describe, expect, it } from "vitest";
import { alikeSubgraphs } from "./alike";
import { outlineWorkflow } from "./outline";
import { parseCompact } from "./parse";
import { randomWorkflow } from "./randomWorkflow";
import type { CompactGraph, CompactWorkflow } from "./workflow";
import { writeCompact } from "./write";

const first = `subgraph S1 "Angle" at 1 in(image) out(IMAGE<13)
10 Load file=a.safetensors
11 Encode "Front" clip<10 text="from the front"
12 KSampler model<10.MODEL positive<11 latent_image<input.image seed=1 steps=8
13 Decode samples<12 vae<10.VAE
end`;

const second = `subgraph S2 "Angle 2" at 2 in(image) out(IMAGE<23)
20 Load file=a.safetensors
21 Encode "Side" clip<20 text="from the side"
22 KSampler model<20.MODEL positive<21 latent_image<input.image seed=1 steps=8
23 Decode samples<22 vae<20.VAE
end`;

const both = `1 S1 image<3\n2 S2 image<3\n3 LoadImage\n${first}\n${second}`;
const told = (text: string) => writeCompact(parseCompact(text), { tellsAlike: true });

describe("a subgraph that is like one before", () => {
  it("is told by what differs, and how that is read", () => {
    expect(told(both).split("\n").slice(9)).toEqual([
      "# In S2, Load =10 makes 20 a copy of S1's 10: its values, and its links to the copies here; only what the line names differs. Slots and groups that are not told are copies, too. Likewise wherever a subgraph is like another.",
      'subgraph S2 "Angle 2" at 2 like S1',
      "20 Load =10",
      '21 Encode =11 "Side" text="from the side"',
      "22 KSampler =12",
      "23 Decode =13",
      "end",
    ]);
  });

  it("tells the link and the value of one input together", () => {
    const linked = both
      .replace('text="from the front"', 'text<input.prompt text="from the front"')
      .replace('text="from the side"', 'text<input.prompt text="from the side"')
      .replaceAll("in(image)", "in(image prompt)");
    expect(told(linked)).toContain('21 Encode =11 "Side" text<input.prompt text="from the side"');
    expect(parseCompact(told(linked))).toEqual(parseCompact(linked));
  });

  it("is read back whole", () => {
    expect(parseCompact(told(both))).toEqual(parseCompact(both));
  });

  it("tells slots and groups where they differ", () => {
    const grouped = both
      .replaceAll("end", 'group "All": 12\nend')
      .replace('group "All": 12\nend', 'group "All": 22\nend');
    const others = [
      both.replace("in(image) out(IMAGE<23)", "in(image) out(IMAGE<22)"),
      both.replace("in(image) out(IMAGE<23)", "in() out()"),
      `${both.slice(0, -3)}group "All": 22\nend`,
      both.replace("\nend", '\ngroup "All": 12\nend'),
      grouped,
    ];
    for (const text of others) expect(parseCompact(told(text))).toEqual(parseCompact(text));
    expect(told(others[0] ?? "")).toContain("at 2 in(image) out(IMAGE<22) like S1");
    expect(told(others[1] ?? "")).not.toContain("like S1");
  });

  it("leaves groups out that are the same", () => {
    const grouped = both.replace("\nend", '\ngroup "All": 12\nend').replace(/end$/, 'group "All": 22\nend');
    expect(told(grouped)).not.toContain('group "All": 22');
    expect(parseCompact(told(grouped))).toEqual(parseCompact(grouped));
  });

  it("is told in an outline by its types and what else differs", () => {
    const other = both.replace("model<20.MODEL positive<21", "model<20.MODEL positive<20");
    expect(outlineWorkflow(parseCompact(other), { tellsAlike: true }).split("\n").slice(-6)).toEqual([
      'subgraph S2 "Angle 2" at 2 like S1',
      "20 Load =10",
      '21 Encode =11 "Side"',
      "22 KSampler =12 <20 input",
      "23 Decode =13",
      "end",
    ]);
  });

  it.each([
    [
      "another link",
      "model<20.MODEL positive<21",
      "model<20.MODEL positive<20",
      "22 KSampler =12 positive<20",
    ],
    ["another mode", "22 KSampler model", "22 KSampler muted model", "22 KSampler =12 muted"],
    ["a value more", "samples<22 vae<20.VAE", "samples<22 vae<20.VAE tile=64", "23 Decode =13 tile=64"],
    [
      "a value less",
      " seed=1 steps=8\n23",
      " seed=1\n23",
      "22 KSampler model<20.MODEL positive<21 latent_image<input.image seed=1",
    ],
    ["a link less", "samples<22 vae<20.VAE", "samples<22", "23 Decode samples<22"],
    ["no title", '21 Encode "Side" clip<20', "21 Encode clip<20", '21 Encode clip<20 text="from the side"'],
    ["other places in the list", `20 Load file=a.safetensors\n`, "", "22 KSampler =12"],
  ])("tells %s", (_, from, to, line) => {
    const isMoved = to === "" && from.startsWith("20 Load");
    const changed = both.replace(
      second,
      second.replace(from, to).replace("end", isMoved ? `${from}end` : "end"),
    );
    expect(told(changed).split("\n")).toContain(line);
    expect(sorted(parseCompact(told(changed)))).toEqual(sorted(parseCompact(changed)));
  });

  it.each([
    ["of other types", second.replace("23 Decode", "23 DecodeTiled")],
    ["with one node more", second.replace("end", "24 Note\nend")],
    ["with half of it otherwise", second.replace(" steps=8", "").replace(" vae<20.VAE", "")],
  ])("is told whole %s", (_, block) => {
    const text = both.replace(second, block);
    expect(told(text)).toBe(writeCompact(parseCompact(text)));
  });

  it("is known by the nodes, whatever their ids: those of copies can be the same", () => {
    const copy = first.replace("S1", "S2").replace("at 1", "at 2");
    expect(told(both.replace(second, copy))).toContain(
      "10 Load =10\n11 Encode =11\n12 KSampler =12\n13 Decode =13\nend",
    );
  });
});

it.each([
  ["2 Load =10", "=10 is a copy of node 10 of another subgraph"],
  ['subgraph S1 "A" in() out()\n2 Load =10\nend', "=10 is a copy of node 10 of another subgraph"],
  [`${first}\nsubgraph S2 "A" in() out() like S1\n2 Load =19\nend`, "S1 has no node 19 Load"],
  [`${first}\nsubgraph S2 "A" in() out() like S1\n2 Load =11\nend`, "S1 has no node 11 Load"],
  [`subgraph S2 "A" in() out() like S1\n2 Load =10\nend\n${first}`, "whose block stands before"],
])("what copies nothing is refused: %s", (text, message) => {
  expect(() => parseCompact(text)).toThrow(message);
});

/** Each subgraph of a workflow by chance, and another that is like it. */
function withCopies(workflow: CompactWorkflow, change: (graph: CompactGraph) => void): CompactWorkflow {
  const copies = workflow.subgraphs.map((subgraph, index) => {
    const copy = structuredClone(subgraph);
    const id = (node: string) => (node === "input" ? node : `${node}0`);
    for (const node of copy.nodes) {
      node.id = id(node.id);
      node.shown = node.shown.map((path) => path.replace(/^[^.:]+/, id));
      for (const link of node.links) link.source.node = id(link.source.node);
    }
    for (const group of copy.groups) group.nodes = group.nodes.map(id);
    for (const { source } of copy.outputs) if (source) source.node = id(source.node);
    change(copy);
    return { ...copy, key: `S${workflow.subgraphs.length + index + 1}` };
  });
  return { ...workflow, subgraphs: [...workflow.subgraphs, ...copies] };
}

describe("workflows by chance with copies of their subgraphs", () => {
  const changes: [string, (graph: CompactGraph) => void][] = [
    ["as they are", () => {}],
    ["with a node muted", ({ nodes: [node] }) => node && Object.assign(node, { mode: "muted" })],
    ["turned around", ({ nodes }) => nodes.reverse()],
    [
      "with other values",
      ({ nodes }) => {
        for (const { values } of nodes) for (const value of values) value.value = 7;
      },
    ],
  ];

  it.each(changes)("are what they were after being written and parsed, %s", (_, change) => {
    let copies = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const workflow = withCopies(randomWorkflow(seed), change);
      const text = writeCompact(workflow, { tellsAlike: true });
      copies += alikeSubgraphs(workflow).size;
      expect(sorted(parseCompact(text))).toEqual(sorted(workflow));
    }
    expect(copies).toBeGreaterThan(20);
  });
});

function sorted(workflow: CompactWorkflow): CompactWorkflow {
  const inOrder = <Graph extends CompactGraph>(graph: Graph): Graph => ({
    ...graph,
    nodes: graph.nodes.map((node) => ({
      ...node,
      links: node.links.toSorted((one, other) => one.input.localeCompare(other.input)),
      values: node.values.toSorted((one, other) => one.name.localeCompare(other.name)),
    })),
  });
  return { ...inOrder(workflow), subgraphs: workflow.subgraphs.map(inOrder) };
}
