import { expect, it } from "vitest";
import { turnFacts } from "./turnFacts";

const calls = (results: unknown[], toolName = "editWorkflow") =>
  results.map((result) => ({ toolName, result }));
const edit = (changes: object, more: object = {}) => ({
  ok: true,
  summary: "",
  data: { changes: { added: {}, changed: {}, removed: {}, ...changes }, ...more },
});
const picture = { kind: "image", filename: "output/a.png" };
const run = (...files: object[]) => ({
  status: "success",
  outputs: [{ node: "9", type: "SaveImage", files }],
});
const ran = (...files: object[]) => ({ ok: true, summary: "", data: run(...files) });

it.each<[string, unknown[]]>([
  ["Nothing in the workflow was changed", []],
  [
    "Nothing in the workflow was changed",
    [{ ok: false, error: "There is no node 9." }, { ok: true, data: [] }, undefined],
  ],
  ["Changed 1 node", [edit({ changed: { "4": "KSampler steps=20→30" } })]],
  [
    "Added 1 node and 1 group · changed 2 nodes · removed 1 node",
    [
      edit({ added: { "5": "VAEDecode", 'group "All"': "4 5" }, changed: { "4": "KSampler cfg=7→8" } }),
      edit({ changed: { "12:3": "CLIPTextEncode text=a→b" }, removed: { "8": "LoraLoader" } }),
    ],
  ],
  [
    "Changed 1 node · ran once · 2 pictures",
    [edit({ changed: { "4": "KSampler steps=20→30" } }), ran(picture, picture)],
  ],
  ["Nothing in the workflow was changed · ran once", [ran()]],
  ["Ran once", [{ ok: true, data: { ...run(), used: ["3.seed=5, now 1014"] } }]],
  [
    "Nothing in the workflow was changed · ran 3 times · 1 picture · 1 video",
    [
      { ok: true, data: { runs: [run(picture), run({ kind: "video" }), { status: "failed", error: "no" }] } },
      ran(),
    ],
  ],
  [
    "Changed 52 nodes",
    [edit({ added: { "1": "A" }, changed: { "2": "B" } }, { workflow: "x", nodes: 60, notNamed: 50 })],
  ],
  [
    "Nothing in the workflow was changed",
    [edit({ changed: { "3": "KSampler cfg=8→4" } }), edit({ changed: { "3": "KSampler cfg=4→8" } })],
  ],
  [
    "Added 1 group · moved 1 node",
    [edit({ added: { 'group "A"': "1 2" }, changed: { "1": "KSampler moved" } })],
  ],
  ["Moved 8 nodes", [{ ok: true, data: { moved: 8, groups: 1 } }]],
])("says %j", (words, results) => {
  expect(turnFacts(calls(results)).words).toBe(words);
});

it("counts no picture of an earlier run", () => {
  const cached = { status: "success", outputs: [{ isCached: true, files: [picture] }, { files: [picture] }] };
  expect(turnFacts(calls([{ ok: true, data: cached }])).words).toMatch(/· 1 picture$/);
});

it("tells what a call changed before it failed", () => {
  const failed = {
    ok: false,
    error: "",
    changes: { added: { "1": "EmptyImage" }, changed: {}, removed: {} },
  };
  expect(turnFacts(calls([failed])).words).toBe("Added 1 node");
});

it("keeps a node that was added, whatever was set and set back of it", () => {
  const results = [
    edit({ added: { "3": "KSampler" } }),
    edit({ changed: { "3": "KSampler cfg=8→4" } }),
    edit({ changed: { "3": "KSampler cfg=4→8" } }),
  ];
  expect(turnFacts(calls(results)).words).toBe("Added 1 node");
});

it("adds up what became of a node", () => {
  const results = [
    edit({ added: { "5": "A", "6": "B" }, removed: { "7": "C" } }),
    edit({ changed: { "5": "A x=1→2" }, removed: { "6": "B" }, added: { "7": "D" } }),
  ];
  expect(turnFacts(calls(results))).toEqual({
    words: "Added 1 node · changed 1 node",
    changes: [
      { kind: "added", name: "5", what: "A x=1→2" },
      { kind: "changed", name: "7", what: "D" },
    ],
  });
});

it("tells a workflow that was loaded from one that was read", () => {
  const results = [{ ok: true, data: { workflow: "flux", nodes: 233 } }];
  expect(turnFacts(calls(results, "applyWorkflow")).words).toBe("Loaded a workflow of 233 nodes");
  expect(
    turnFacts([...calls([edit({ changed: { "1": "A x=1→2" } })]), ...calls(results, "applyWorkflow")]).words,
  ).toBe("Loaded a workflow of 233 nodes");
  expect(turnFacts(calls(results, "getWorkflowInfo")).words).toBe("Nothing in the workflow was changed");
});
