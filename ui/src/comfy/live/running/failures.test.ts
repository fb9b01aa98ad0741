import { describe, expect, it } from "vitest";
import type { RunFailure } from "../../bridge";
import type { LiveApi, LiveApp } from "../page";
import { createFailureWatch, shownFailure } from "./failures";

const nodeErrors = {
  "2": {
    class_type: "SaveImage",
    errors: [
      { message: "Required input is missing", details: "images", extra_info: { input_name: "images" } },
    ],
  },
};

const problem = { node: "2", type: "SaveImage", input: "images", message: "Required input is missing" };

const executionError = {
  prompt_id: "theirs",
  node_id: "3",
  node_type: "KSampler",
  exception_type: "ValueError",
  exception_message: "no\n",
};

function watched(answer: () => Promise<unknown>) {
  const events = new EventTarget();
  const api = {
    queuePrompt: answer,
    addEventListener: (type: string, listener: (event: Event) => void) =>
      events.addEventListener(type, listener),
  } as unknown as LiveApi;
  const heard: (RunFailure | undefined)[] = [];
  const workflows: string[] = [];
  const own: string[] = [];
  const page: LiveApp & { open: string } = Object.assign({} as LiveApp, { open: "A" });
  const { watch, shown } = createFailureWatch(page, api, {
    isOurs: async (promptId) => promptId === "ours",
    onOwn: () => own.push("failed"),
    open: () => page.open,
  });
  watch((workflow, failure) => {
    workflows.push(workflow);
    heard.push(failure);
  });
  const fail = async (detail: unknown) => {
    events.dispatchEvent(new CustomEvent("execution_error", { detail }));
    await Promise.resolve();
    await Promise.resolve();
  };
  return { api, page, shown, heard, workflows, own, fail };
}

const refusing = (response: unknown) => () =>
  Promise.reject(Object.assign(new Error("refused"), { response }));

describe("failures of runs that no tool began", () => {
  it("are heard when ComfyUI refuses the prompt, and the page gets its error all the same", async () => {
    const error = { type: "prompt_outputs_failed_validation", message: "Prompt outputs failed validation" };
    const { api, heard } = watched(refusing({ error, node_errors: nodeErrors }));
    await expect(api.queuePrompt(0)).rejects.toThrow("refused");
    expect(heard).toEqual([undefined, { problems: [problem], refusal: "Prompt outputs failed validation" }]);
  });

  it("name the type of a node that is not installed, which the page knows", async () => {
    const error = {
      ...{ type: "missing_node_type", message: "No class", details: "" },
      extra_info: { node_id: "17", class_type: null },
    };
    const { api, page, heard } = watched(refusing({ error, node_errors: {} }));
    Object.assign(page, { graph: { nodes: [{ id: 17, type: "NotHere" }] } });
    await expect(api.queuePrompt(0)).rejects.toThrow("refused");
    const missing = { node: "17", type: "NotHere", message: "This node type is not installed" };
    expect(heard).toEqual([undefined, { problems: [missing], refusal: "No class" }]);
  });

  it("are heard when only a part of the workflow is valid", async () => {
    const { api, heard } = watched(async () => ({ prompt_id: "1", node_errors: nodeErrors }));
    await api.queuePrompt(0);
    expect(heard).toEqual([undefined, { problems: [problem] }]);
  });

  it("are over when the next run is queued, even if that fails before the page knows its id", async () => {
    const { api, heard, fail } = watched(async () => {
      await fail(executionError);
      return { prompt_id: "theirs", node_errors: {} };
    });
    await api.queuePrompt(0);
    expect(heard).toEqual([undefined, expect.objectContaining({ problems: [] })]);
  });

  it("are heard when a node fails", async () => {
    const { heard, fail } = watched(async () => ({}));
    await fail(executionError);
    expect(heard).toEqual([
      { problems: [], error: { node: "3", type: "KSampler", exception: "ValueError", message: "no" } },
    ]);
  });

  it("are not those of the assistant's own runs, which the model reads itself", async () => {
    const { api, heard, own, fail } = watched(refusing({ error: "no", node_errors: nodeErrors }));
    await expect(api.queuePrompt(-0)).rejects.toThrow();
    await fail({ ...executionError, prompt_id: "ours" });
    expect([heard, own]).toEqual([[], ["failed"]]);
  });
});

describe("failures of several workflows", () => {
  it("belong to the one that was open when the run was queued", async () => {
    const { api, page, shown, workflows, fail } = watched(async () => ({
      prompt_id: `of ${page.open}`,
      node_errors: {},
    }));
    await api.queuePrompt(0);
    page.open = "B";
    await api.queuePrompt(0);
    page.lastExecutionError = executionError;
    await fail({ ...executionError, prompt_id: "of A" });
    expect([workflows, shown()]).toEqual([["A", "B", "A"], undefined]);
    page.open = "A";
    expect(shown()).toMatchObject({ error: { node: "3" } });
  });

  it("are known by workflow where the page has forgotten them, until a run is queued", async () => {
    const { api, page, shown, fail } = watched(async () => ({ prompt_id: "of A", node_errors: {} }));
    await api.queuePrompt(0);
    await fail({ ...executionError, prompt_id: "of A" });
    expect(shown()).toMatchObject({ error: { node: "3", message: "no" } });
    page.open = "B";
    expect(shown()).toBeUndefined();
    page.open = "A";
    await api.queuePrompt(0);
    expect(shown()).toBeUndefined();
  });

  it("are over when the assistant's own run of it is accepted", async () => {
    const { api, heard, workflows } = watched(async () => ({ prompt_id: "ours", node_errors: {} }));
    await api.queuePrompt(-0);
    expect([workflows, heard]).toEqual([["A"], [undefined]]);
  });
});

describe("the failure that the page shows", () => {
  it.each([
    [
      { lastExecutionError: executionError, lastNodeErrors: null },
      { problems: [], error: { node: "3" } },
    ],
    [{ lastExecutionError: null, lastNodeErrors: nodeErrors }, { problems: [problem] }],
    [{ lastExecutionError: null, lastNodeErrors: null }, undefined],
    [{}, undefined],
  ])("is read off %j", (page, failure) => {
    if (failure === undefined) expect(shownFailure(page as LiveApp)).toBeUndefined();
    else expect(shownFailure(page as unknown as LiveApp)).toMatchObject(failure);
  });
});
