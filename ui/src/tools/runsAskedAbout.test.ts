import { describe, expect, it } from "vitest";
import { executeWorkflow } from "./executeWorkflow";
import { getWorkflowInfo } from "./getWorkflowInfo";
import { hostileCanvas } from "./testing/hostileNodes";
import { callsOn, testCalls } from "./testing/testCall";

describe("the user is asked", () => {
  const asked = async (nodes: string[], links: string[], args: object = {}, allowed = true) => {
    const calls = testCalls(nodes, links);
    calls.isAllowed = allowed;
    const result = await calls.call(executeWorkflow, args);
    return { ...calls, result };
  };

  it("before each run, as the mode demands", async () => {
    const { asked: questions } = await asked(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    expect(questions).toEqual([{ title: "Run the workflow?" }]);
  });

  it("in every mode before more than four runs", async () => {
    const { asked: questions } = await asked(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"], {
      vary: [{ node: "1", widget: "width", values: [1, 2, 3, 4, 5] }],
    });
    const detail = "1.width 1, 2, 3, 4, 5.";
    expect(questions).toEqual([{ title: "Run the workflow 5 times?", detail, always: true }]);
  });

  it("with texts that vary within quotes, so that none reads as a sentence of ours", async () => {
    const { asked: questions } = await asked(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"], {
      vary: [{ node: "2", widget: "filename_prefix", values: ["a", "b. All “safe”", "c", "d", "e"] }],
    });
    expect(questions).toMatchObject([{ detail: '2.filename_prefix a, "b. All “safe”", c, d, e.' }]);
  });

  it("with what varies, and how often that makes it run", async () => {
    const { asked: questions } = await asked(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"], {
      vary: [
        { node: "1", widget: "width", values: [64, 128, 256] },
        { node: "1", widget: "height", values: [1, 2] },
      ],
    });
    expect(questions).toMatchObject([{ detail: "3 × 2 runs: 1.width 64, 128, 256 × 1.height 1, 2." }]);
  });

  it("in every mode about what a varied value does, which the graph does not hold", async () => {
    const { asked: questions } = await asked(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"], {
      vary: [{ node: "2", widget: "filename_prefix", values: ["a", "/elsewhere/b"] }],
    });
    const risk = 'Node 2 “Save Image” (SaveImage) names a place on the disk: filename_prefix "/elsewhere/b".';
    expect(questions).toMatchObject([{ detail: expect.stringContaining(risk), always: true }]);
  });

  it("anew where the workflow is another one by the time of the answer", async () => {
    const calls = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    calls.answer = () => {
      if (calls.asked.length === 1)
        calls.comfy.edit((editor) => {
          const added = editor.addNode("SaveImage");
          editor.setWidget(added, "filename_prefix", "/elsewhere/b");
          editor.connect({ node: "1", output: 0 }, { node: added, input: 0 });
        });
      return calls.asked.length === 1;
    };
    expect(await calls.call(executeWorkflow)).toMatchObject({ ok: false });
    expect(calls.asked.map(({ detail }) => detail)).toEqual([
      undefined,
      expect.stringContaining("/elsewhere/b"),
    ]);
    expect(calls.comfy.queue.runs).toEqual([]);
  });

  it("anew where a text of a package's node that was asked about is another one", async () => {
    const calls = callsOn(hostileCanvas());
    calls.answer = () => {
      if (calls.asked.length === 1)
        calls.comfy.edit((editor) => editor.setWidget("4", "pattern", "another text"));
      return calls.asked.length === 1;
    };
    expect(await calls.call(executeWorkflow, { until: "4" })).toMatchObject({ ok: false });
    expect(calls.asked).toHaveLength(2);
    expect(calls.comfy.queue.runs).toEqual([]);
  });

  it("once about each package whose nodes run, in every mode, with its nodes", async () => {
    const calls = callsOn(hostileCanvas());
    const kept: unknown[] = [];
    calls.ask = async (method, route, body) => {
      if (method === "PUT") kept.push([route, body]);
      return { ok: true, value: { packages: [] } };
    };
    await calls.call(executeWorkflow, { until: "4" });
    const [question] = calls.asked;
    expect(question).toMatchObject({
      title: "Let the assistant run nodes of a-package?",
      detail: "a-package: Confetti (4).",
      always: true,
      allow: "Once",
      same: expect.any(String),
      forGood: { label: "Always" },
    });
    expect(kept).toEqual([]);
    await question?.forGood?.keep();
    expect(kept).toEqual([["/assistant/trusted-packages", { packages: ["a-package"] }]]);
  });

  it("no more about a package that is trusted, but for what acts", async () => {
    const calls = callsOn(hostileCanvas());
    calls.ask = async () => ({ ok: true, value: { packages: ["a-package"] } });
    await calls.call(executeWorkflow, { until: "4" });
    expect(calls.asked).toEqual([{ title: "Run the workflow?" }]);
    calls.comfy.edit((editor) => editor.setWidget("4", "pattern", "/etc/passwd"));
    await calls.call(executeWorkflow, { until: "4" });
    expect(calls.asked[1]).toMatchObject({ always: true, detail: expect.stringContaining("/etc/passwd") });
    expect(calls.asked[1]).not.toHaveProperty("forGood");
  });

  it("not again about what was shown with a package that is trusted since", async () => {
    const calls = callsOn(hostileCanvas());
    calls.comfy.edit((editor) => editor.setWidget("4", "pattern", "/etc/passwd"));
    await calls.call(executeWorkflow, { until: "4" });
    calls.ask = async () => ({ ok: true, value: { packages: ["a-package"] } });
    await calls.call(executeWorkflow, { until: "4" });
    const [first, second] = calls.asked;
    expect(first?.same).not.toBe(second?.same);
    expect(first?.forGood?.same).toBe(second?.same);
  });

  it("about a package also where the server cannot tell which are trusted", async () => {
    const calls = callsOn(hostileCanvas());
    calls.ask = async () => ({ ok: false, status: 500, code: "internal_error", message: "" });
    await calls.call(executeWorkflow, { until: "4" });
    expect(calls.asked).toMatchObject([{ always: true, forGood: {} }]);
  });

  it("not again where a value was drawn by lot meanwhile", async () => {
    const calls = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    calls.answer = () => {
      calls.comfy.edit((editor) => editor.setWidget("1", "width", 65));
      return true;
    };
    await calls.call(executeWorkflow);
    expect(calls.asked).toHaveLength(1);
    expect(calls.comfy.queue.runs).toHaveLength(1);
  });

  it("and what they changed meanwhile is told with the result, and is in every run of it", async () => {
    const calls = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    await calls.call(getWorkflowInfo);
    calls.answer = () => {
      calls.comfy.edit((editor) => editor.setWidget("1", "width", 65));
      return true;
    };
    const vary = [{ node: "1", widget: "height", values: [1, 2, 3, 4, 5] }];
    expect(await calls.call(executeWorkflow, { vary })).toMatchObject({
      ok: true,
      data: { changedByTheUser: ["~ 1 EmptyImage width=512→65"] },
    });
    expect(calls.comfy.queue.runs.map(({ nodes }) => nodes["1"]?.inputs.width)).toEqual([65, 65, 65, 65, 65]);
    expect(await calls.call(executeWorkflow)).not.toHaveProperty("data.changedByTheUser");
  });

  it("and where such a run fails, that is told with it", async () => {
    const calls = testCalls(["EmptyImage", "SaveImage"]);
    await calls.call(getWorkflowInfo);
    calls.answer = () => {
      calls.comfy.edit((editor) => editor.setWidget("1", "width", 65));
      return true;
    };
    expect(await calls.call(executeWorkflow)).toMatchObject({
      ok: false,
      error: expect.stringContaining("Required input is missing"),
      hint: expect.stringContaining("Before it ran, the user had changed: ~ 1 EmptyImage width=512→65."),
    });
  });

  it("and a no queues nothing", async () => {
    const { result, comfy } = await asked(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"], {}, false);
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining("declined") });
    expect(comfy.queue.runs).toEqual([]);
  });
});
