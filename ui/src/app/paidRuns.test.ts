/** Every node type that ComfyUI sells, as 0.3.75 and 0.33.0 define them: no run of one goes without a question. */

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type ApprovalMode, createApprovals } from "../chat/calls/approvals";
import { createFakeComfy } from "../comfy/fake";
import { fakeNodes } from "../comfy/fakeNodes";
import { readDefinition } from "../comfy/live/reading/definition";
import type { ApprovalRequest } from "../shared/toolCalls";
import { executeWorkflow } from "../tools/executeWorkflow";
import { roomOf } from "../tools/room";
import { runTool } from "../tools/tool";

type Recorded = Record<string, { api_node: boolean; python_module: string; category: string }>;
const recorded: Record<string, Recorded> = JSON.parse(
  readFileSync(new URL("../../../tests/fixtures/paid_nodes.json", import.meta.url), "utf8"),
);

const seed = { type: "INT", isOptional: false, default: 1, min: 0, max: 100, display: "number" };

const ways: Record<string, object> = {
  "a plain run": {},
  "varied values": { vary: [{ node: "1", widget: "seed", values: [1, 2] }] },
  "several seeds": { seeds: [1, 2] },
};

/** What the person is asked about a run of one node of the type; each question is denied. */
async function asked(type: string, nodeData: object, mode: ApprovalMode, args: object) {
  const outputs = [{ name: "IMAGE", type: "IMAGE" }];
  const definition = readDefinition(type, type, { ...nodeData, inputs: { seed }, outputs });
  const comfy = createFakeComfy({ definitions: [...fakeNodes, ...(definition ? [definition] : [])] });
  comfy.edit((editor) => {
    for (const each of [type, "SaveImage"]) editor.addNode(each);
    editor.connect({ node: "1", output: 0 }, { node: "2", input: 0 });
  });
  const approvals = createApprovals({ getItem: () => mode, setItem() {} });
  const questions: ApprovalRequest[] = [];
  approvals.pending.subscribe(() => {
    const question = approvals.pending.get().get("call");
    if (!question) return;
    questions.push(question);
    approvals.answer(question, false);
  });
  const signal = new AbortController().signal;
  await runTool(executeWorkflow, args, comfy, {
    ...{ signal, room: roomOf(), thread: "thread", turn: "turn", onProgress() {} },
    confirm: (request) => approvals.confirm("call", request, signal),
  });
  return { questions, ran: comfy.queue.runs.length };
}

it.each(
  Object.keys(recorded).flatMap((version) =>
    (["ask", "auto"] as const).flatMap((mode) =>
      Object.keys(ways).map((way) => [version, mode, way] as const),
    ),
  ),
)(
  "of ComfyUI %s in %s mode each is asked about before %s, and never for good",
  async (version, mode, way) => {
    const types = Object.entries(recorded[version] ?? {});
    expect(types.length).toBeGreaterThan(100);
    const unasked: string[] = [];
    for (const [type, nodeData] of types) {
      const { questions, ran } = await asked(type, nodeData, mode, ways[way] ?? {});
      const [question] = questions;
      const isAsked =
        question?.detail?.endsWith(" is paid.") && question.always && question.same === undefined;
      if (!isAsked || ran > 0) unasked.push(`${type}: ${JSON.stringify(questions)}, ${ran} runs`);
    }
    expect(unasked).toEqual([]);
  },
);
