import { describe, expect, it } from "vitest";
import type { LiveApi, LiveApp } from "../page";
import { submitLikeRunButton } from "./submit";

class PromptExecutionError extends Error {
  readonly response: unknown;

  constructor(response: unknown) {
    super("Prompt execution failed");
    this.response = response;
  }
}

/** Queues as ComfyUI's page does: one loop at a time, which asks `api.queuePrompt` for each item. */
class FakePage {
  readonly dialogs: unknown[] = [];
  readonly replies: unknown[] = [];
  readonly queued: number[] = [];
  readonly told: string[] = [];
  targets: unknown;
  answer: (number: number) => Promise<unknown> = async () => ({
    prompt_id: `p${this.queued.length}`,
    node_errors: {},
  });
  private readonly items: number[] = [];

  readonly api = Object.create({
    queuePrompt: (number: number, _prompt: unknown, options?: { partialExecutionTargets?: unknown }) => {
      this.queued.push(number);
      this.targets = options?.partialExecutionTargets;
      return this.answer(number);
    },
    dispatchCustomEvent: (type: string) => this.told.push(type),
  }) as LiveApi;

  readonly seed = { name: "seed", value: 5 };

  readonly app = {
    graph: { nodes: [{ widgets: [this.seed] }], setDirtyCanvas() {} },
    processingQueue: false,
    queuePrompt: async (number: number) => {
      this.items.push(number);
      if (this.app.processingQueue) return false;
      this.app.processingQueue = true;
      for (let item = this.items.pop(); item !== undefined; item = this.items.pop())
        try {
          await Promise.resolve();
          this.replies.push(await this.api.queuePrompt(item, { output: {}, workflow: {} }));
          this.seed.value += 1;
          this.api.dispatchCustomEvent?.("promptQueued");
        } catch (error) {
          this.dialogs.push(error);
        }
      this.app.processingQueue = false;
      return false;
    },
  } as unknown as LiveApp & { processingQueue: boolean };
}

const refusal = {
  error: {
    type: "prompt_outputs_failed_validation",
    message: "Prompt outputs failed validation",
    details: "",
  },
  node_errors: {
    "2": {
      class_type: "SaveImage",
      errors: [
        { message: "Required input is missing", details: "images", extra_info: { input_name: "images" } },
      ],
    },
  },
};

describe("queueing like the Run button", () => {
  it("gives the prompt's id, though the button's function tells nothing", async () => {
    const page = new FakePage();
    expect(await submitLikeRunButton(page.app, page.api)).toEqual({
      accepted: true,
      promptId: "p1",
      problems: [],
    });
  });

  it("leaves no trace on the page's api", async () => {
    const page = new FakePage();
    await submitLikeRunButton(page.app, page.api);
    expect(Object.keys(page.api)).toEqual([]);
  });

  it("puts back what another extension had put there", async () => {
    const page = new FakePage();
    const theirs = page.api.queuePrompt.bind(page.api);
    page.api.queuePrompt = theirs;
    await submitLikeRunButton(page.app, page.api);
    expect(page.api.queuePrompt).toBe(theirs);
  });

  it("goes once through what packs wrap around the page's function, whatever of the call they pass on", async () => {
    const page = new FakePage();
    const own = page.app.queuePrompt;
    let calls = 0;
    page.app.queuePrompt = (number) => {
      calls += 1;
      return own(number + 0, 1);
    };
    expect(await submitLikeRunButton(page.app, page.api, { targets: ["7"] })).toMatchObject({
      accepted: true,
    });
    expect([calls, page.queued.length, page.targets]).toEqual([1, 1, ["7"]]);
  });

  it("tells a refusal, and the page gets the node errors to mark but no dialog to open", async () => {
    const page = new FakePage();
    page.answer = () => Promise.reject(new PromptExecutionError(refusal));
    expect(await submitLikeRunButton(page.app, page.api)).toEqual({
      accepted: false,
      code: "prompt_outputs_failed_validation",
      message: "Prompt outputs failed validation",
      problems: [{ node: "2", type: "SaveImage", input: "images", message: "Required input is missing" }],
    });
    await Promise.resolve();
    expect(page.dialogs).toEqual([]);
    expect(page.replies).toEqual([{ node_errors: refusal.node_errors }]);
  });

  it("fails as the page fails when ComfyUI cannot be reached", async () => {
    const page = new FakePage();
    page.answer = () => Promise.reject(new TypeError("Failed to fetch"));
    await expect(submitLikeRunButton(page.app, page.api)).rejects.toThrow("Failed to fetch");
    expect(page.dialogs).toHaveLength(1);
  });

  it("tells its own prompt from one that the user queues at the same moment", async () => {
    const page = new FakePage();
    const answers = new Map([
      [1, "users"],
      [2, "ours"],
    ]);
    page.answer = async () => ({ prompt_id: answers.get(page.queued.length), node_errors: {} });
    const users = page.app.queuePrompt(0, 1);
    const ours = submitLikeRunButton(page.app, page.api);
    expect(await ours).toMatchObject({ promptId: "ours" });
    await users;
    expect(page.queued).toEqual([0, -0]);
  });

  it("leaves the refusal of the user's own prompt to the page", async () => {
    const page = new FakePage();
    page.answer = (number) =>
      Object.is(number, -0)
        ? Promise.resolve({ prompt_id: "ours", node_errors: {} })
        : Promise.reject(new PromptExecutionError(refusal));
    const users = page.app.queuePrompt(0, 1);
    expect(await submitLikeRunButton(page.app, page.api)).toMatchObject({ promptId: "ours" });
    await users;
    expect(page.dialogs).toHaveLength(1);
  });

  it("leaves seeds as they are where it is refused, and lets them count on where not", async () => {
    const page = new FakePage();
    await submitLikeRunButton(page.app, page.api);
    expect(page.seed.value).toBe(6);
    await submitLikeRunButton(page.app, page.api, { mayBeSent: async () => false });
    page.answer = () => Promise.reject(new PromptExecutionError(refusal));
    expect(await submitLikeRunButton(page.app, page.api)).toMatchObject({ accepted: false });
    expect(page.seed.value).toBe(6);
  });

  it("does not let the page tell of a queued run where it is refused, and of all others it does", async () => {
    const page = new FakePage();
    await submitLikeRunButton(page.app, page.api, { mayBeSent: async () => false });
    expect(page.told).toEqual([]);
    await submitLikeRunButton(page.app, page.api);
    expect(page.told).toEqual(["promptQueued"]);
    expect(Object.keys(page.api)).toEqual([]);
  });

  it("says so when the page queues nothing", async () => {
    const page = new FakePage();
    page.app.queuePrompt = async () => false;
    await expect(submitLikeRunButton(page.app, page.api)).rejects.toThrow("did not queue");
    expect(Object.keys(page.api)).toEqual([]);
  });
});
