import type { UIMessage } from "ai";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { MeantWorkflow } from "../api/replies";
import { type Approvals, createApprovals } from "../chat/calls/approvals";
import { createTurns, type Turns } from "../chat/turn/turns";
import { createFakeComfy, type FakeComfy } from "../comfy/fake";
import { createKeyedStore } from "../shared/store";
import type { ToolProgress } from "../shared/toolCalls";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../tools/tool";
import { createBegunCalls } from "./begunCalls";
import { createToolkit } from "./toolkit";

let events: string[];
let comfy: FakeComfy;
let turns: Turns;
let approvals: Approvals;
let undoing: Promise<unknown>;
let staying: Promise<void>;
let finish: Record<string, () => void>;
const fail: Record<string, (error: Error) => void> = {};
let contexts: ToolContext[];
let asked: string[];
let madeElsewhere: Set<string>;
let meant: MeantWorkflow | undefined;
let unsure: string | undefined;
const progress = createKeyedStore<ToolProgress>();

/** Runs until the test lets it finish, and notices nothing of a Stop. */
const slow = defineTool({
  name: "slow",
  description: "",
  input: z.object({ name: z.string() }),
  effect: "reads",
  label: () => "",
  async run({ name }, _comfy, context) {
    events.push(`begin ${name}`);
    contexts.push(context);
    context.onProgress({ text: `at ${name}` });
    await new Promise<void>((resolve, reject) => {
      finish[name] = resolve;
      fail[name] = reject;
    });
    events.push(`end ${name}`);
    return { ok: true, summary: name, data: {} };
  },
}) as Tool;

const opening = defineTool({ ...slow, name: "opening", opensOther: () => true } as Tool) as Tool;
const running = defineTool({ ...slow, name: "running", effect: "runs" } as Tool) as Tool;

function start(name: string, signal = new AbortController().signal): Promise<ToolResult> {
  if (!turns.isNew(name)) turns.call("thread", name);
  return startAnyway(name, signal);
}

function startAnyway(
  name: string,
  signal = new AbortController().signal,
  tool = "slow",
): Promise<ToolResult> {
  const { execute } = createdToolkit[tool] as {
    execute(args: unknown, context: { toolCallId: string; abortSignal: AbortSignal }): Promise<ToolResult>;
  };
  return execute({ name }, { toolCallId: name, abortSignal: signal });
}

let begun: ReturnType<typeof createBegunCalls>;
let createdToolkit: ReturnType<typeof createToolkit>;
beforeEach(() => {
  events = [];
  contexts = [];
  asked = [];
  madeElsewhere = new Set();
  meant = undefined;
  unsure = undefined;
  finish = {};
  undoing = Promise.resolve();
  staying = Promise.resolve();
  comfy = createFakeComfy();
  turns = createTurns();
  approvals = createApprovals({ getItem: () => "ask", setItem: () => {} });
  begun = createBegunCalls({ getItem: () => null, setItem: () => {} });
  createdToolkit = createToolkit([slow, opening, running], comfy, turns, progress, approvals, begun, {
    seesImages: async (thread) => thread === "thread",
    undoNewest: async () => undefined,
    undone: () => undoing,
    stays: () => staying,
    beginCall: async (_, call) => {
      asked.push(call);
      return { isMine: !madeElsewhere.has(call), workflow: meant, ...(unsure !== undefined && { unsure }) };
    },
    ask: async () => ({ ok: true, value: undefined }),
    readBack: async (thread, ref) => `${ref} of ${thread}`,
  });
});

const untilBegun = async (name: string) => {
  while (!events.includes(`begin ${name}`)) await new Promise((resolve) => setTimeout(resolve));
};

describe("createToolkit", () => {
  it("makes a call once, however often it is asked for while it is made, and knows its result then", async () => {
    const [first, second] = [start("one"), start("one")];
    await untilBegun("one");
    finish.one?.();
    expect([await first, await second, await start("one")]).toMatchObject(
      Array.from({ length: 3 }, () => ({ ok: true, summary: "one", data: {} })),
    );
    expect(events).toEqual(["begin one", "end one"]);
  });

  it("tells no failure of a page that is being left, and begins nothing more", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    staying = promise;
    const result = start("one");
    const next = start("two");
    await untilBegun("one");
    fail.one?.(new TypeError("Failed to fetch"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([begun.resultOf("one"), begun.has("two"), events]).toEqual([undefined, true, ["begin one"]]);
    resolve();
    expect(await result).toMatchObject({ ok: false });
    await untilBegun("two");
    finish.two?.();
    await next;
  });

  it("runs nothing where the server does not say whose the call is, and reads all the same", async () => {
    unsure = "It broke.";
    turns.begin("thread", "u1", comfy.workflow().key);
    turns.call("thread", "one");
    expect(await startAnyway("one", undefined, "running")).toMatchObject({
      ok: false,
      error: expect.stringContaining("It broke."),
    });
    expect(events).toEqual([]);
    const read = start("two");
    await untilBegun("two");
    finish.two?.();
    expect(await read).toMatchObject({ ok: true });
  });

  it("makes a call once what the person has just undone is undone", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    undoing = promise;
    const result = start("one");
    await expect.poll(() => begun.has("one")).toBe(true);
    await Promise.resolve();
    expect(events).toEqual([]);
    resolve();
    await untilBegun("one");
    finish.one?.();
    expect(await result).toMatchObject({ ok: true });
  });

  it("leaves a call to the page of another browser, and takes its result from there", async () => {
    madeElsewhere.add("one");
    turns.begin("thread", "u1", comfy.workflow().key);
    const result = start("one");
    await expect.poll(() => turns.isWatched("thread")).toBe(true);
    expect([asked, events]).toEqual([["one"], []]);
    const output = { ok: true, summary: "there", data: {} };
    const part = { type: "tool-slow", toolCallId: "one", state: "output-available", input: {}, output };
    turns.readResults([{ id: "a1", role: "assistant", parts: [part] }] as unknown as UIMessage[]);
    expect(await result).toEqual(output);
    expect(events).toEqual([]);
  });

  it("makes a call that was left to a page that is gone before it began", async () => {
    madeElsewhere.add("one");
    turns.begin("thread", "u1", comfy.workflow().key);
    const result = start("one");
    await expect.poll(() => turns.isWatched("thread")).toBe(true);
    madeElsewhere.clear();
    turns.takeOver("thread");
    await untilBegun("one");
    finish.one?.();
    expect(await result).toMatchObject({ ok: true, summary: "one" });
  });

  it("runs the calls of a step one after the other, in the order in which they were made", async () => {
    const results = [start("one"), start("two")];
    await untilBegun("one");
    expect(events).toEqual(["begin one"]);
    finish.one?.();
    await untilBegun("two");
    finish.two?.();
    await Promise.all(results);
    expect(events).toEqual(["begin one", "end one", "begin two", "end two"]);
  });

  it("makes what only reads while the question of another chat waits, and tells all else what it waits for", async () => {
    for (const thread of ["thread", "other"]) turns.begin(thread, `u ${thread}`, comfy.workflow().key);
    turns.call("other", "reading");
    turns.call("other", "opening");
    turns.call("other", "later");
    const asking = start("asking");
    await untilBegun("asking");
    const answer = contexts[0]?.confirm({ title: "Run?" });
    const [reading, opening, later] = [
      startAnyway("reading"),
      startAnyway("opening", undefined, "opening"),
      startAnyway("later"),
    ];
    await untilBegun("reading");
    finish.reading?.();
    expect(await reading).toMatchObject({ ok: true });
    expect(events).toEqual(["begin asking", "begin reading", "end reading"]);
    expect(progress.get().get("opening")).toEqual({ text: "Waits for the question in another chat" });
    const [question] = [...approvals.pending.get().values()];
    if (question) approvals.answer(question, true);
    expect(await answer).toBe(true);
    expect(events.at(-1)).toBe("end reading");
    finish.asking?.();
    await untilBegun("opening");
    finish.opening?.();
    await untilBegun("later");
    finish.later?.();
    expect(await Promise.all([asking, opening, later])).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: true },
    ]);
    expect(progress.get().get("opening")).toBeUndefined();
  });

  it("settles a stopped call at once, and never begins those behind it", async () => {
    const controller = new AbortController();
    const results = [start("one", controller.signal), start("two", controller.signal)];
    await untilBegun("one");
    controller.abort();
    expect(await Promise.all(results)).toMatchObject([
      { ok: false, error: expect.stringMatching(/stopped by the user/i) },
      { ok: false, error: expect.stringMatching(/stopped by the user/i) },
    ]);
    expect(events).toEqual(["begin one"]);
  });

  it("never runs what an earlier page has left open, and does not go on with it", async () => {
    expect(await startAnyway("one")).toMatchObject({
      ok: false,
      code: "stopped",
      error: expect.stringMatching(/loaded anew/),
    });
    expect(events).toEqual([]);
    const part = { type: "tool-slow", toolCallId: "one", state: "output-available", input: {}, output: {} };
    const answer = { id: "a1", role: "assistant", parts: [{ type: "step-start" }, part] } as UIMessage;
    expect(turns.takeResults("thread", [answer])).toBe(false);
  });

  it("runs a call of an earlier page that has loaded the page anew", async () => {
    const call = start("one");
    await untilBegun("one");
    contexts[0]?.outlive?.({ a: 1 });
    const kept = JSON.parse(JSON.stringify(turns.kept(new Set())));
    finish.one?.();
    await call;
    const page = createTurns();
    page.restore(kept);
    expect([page.isNew("one"), page.isNew("two")]).toEqual([true, false]);
    expect(page.outlived("one")).toEqual({ a: 1 });
    expect(page.kept(new Set()).outliving).toEqual([]);
  });

  describe("what the page before has begun, and Stop", () => {
    beforeEach(() => {
      turns.restore({ turns: [], calls: [], outliving: [["one", { a: 1 }, {}]] });
    });

    async function hasEnded(result: Promise<ToolResult>) {
      expect(await result).toMatchObject({ ok: false, code: "stopped" });
      await untilBegun("one");
      const ended = contexts.map(({ signal, outlived }) => [signal.aborted, outlived]);
      expect(new Set(ended.map(String))).toEqual(new Set([String([true, { a: 1 }])]));
    }

    it("is ended where Stop came before the call is made again", async () => {
      turns.stopCall("one");
      await hasEnded(startAnyway("one"));
    });

    it("is ended where Stop comes while the call is about to be made again", async () => {
      let ready = () => {};
      undoing = new Promise<void>((resolve) => {
        ready = resolve;
      });
      const controller = new AbortController();
      const result = startAnyway("one", controller.signal);
      await Promise.resolve();
      controller.abort();
      ready();
      await hasEnded(result);
    });
  });

  it("leaves nothing of a stopped call to the next page that its turn could go on with", async () => {
    turns.begin("thread", "u1", comfy.workflow().key);
    turns.call("thread", "one");
    const controller = new AbortController();
    const result = start("one", controller.signal);
    await untilBegun("one");
    contexts[0]?.outlive?.({ a: 1 });
    controller.abort();
    await result;
    contexts[0]?.outlive?.({ a: 2 });
    expect(turns.kept(new Set()).outliving).toEqual([]);
    expect([begun.has("one"), begun.resultOf("one")]).toEqual([true, undefined]);
  });

  it("shows how far a call is while it runs, and no longer", async () => {
    const result = start("one");
    await untilBegun("one");
    expect(progress.get().get("one")).toEqual({ text: "at one" });
    finish.one?.();
    await result;
    expect(progress.get().has("one")).toBe(false);
  });

  it("keeps what a stopped call had made by then, and nothing else of it", async () => {
    const controller = new AbortController();
    const result = start("one", controller.signal);
    await untilBegun("one");
    contexts[0]?.onProgress({ text: "2 of 5", soFar: "a picture" });
    controller.abort();
    await result;
    expect(progress.get().get("one")).toEqual({ soFar: "a picture" });
  });

  it("asks the person in the name of the call, and takes a Stop for a no", async () => {
    const controller = new AbortController();
    const result = start("one", controller.signal);
    await untilBegun("one");
    const answer = contexts[0]?.confirm({ title: "Delete 12 nodes?" });
    expect(approvals.pending.get().get("one")).toEqual({ title: "Delete 12 nodes?" });
    controller.abort();
    expect(await answer).toBe(false);
    await result;
  });

  it("says in a question which text by others the model had read when it called", async () => {
    turns.call("thread", "one", { outside: ["note 5"] });
    const result = start("one");
    await untilBegun("one");
    void contexts[0]?.confirm({ title: "Run the workflow?" });
    expect(contexts[0]?.outside).toEqual(["note 5"]);
    expect(approvals.pending.get().get("one")).toEqual({ title: "Run the workflow?", outside: ["note 5"] });
    finish.one?.();
    await result;
  });

  it("tells a tool to which turn and workflow its call belongs", async () => {
    const workflow = comfy.workflow().key;
    turns.begin("thread", "u1", workflow);
    turns.call("thread", "one", { room: 1_234 });
    const result = start("one");
    await untilBegun("one");
    finish.one?.();
    await result;
    expect(contexts[0]).toMatchObject({ turn: turns.turnOf(["one"])?.id, thread: "thread", workflow });
    expect(await contexts[0]?.readBack?.("r1")).toBe("r1 of thread");
    expect(await contexts[0]?.seesImages?.()).toBe(true);
    expect(contexts[0]?.room.tokens).toBe(1_234 - 20);
  });

  it("lets later calls of a turn act on the workflow that a tool of it has opened", async () => {
    turns.begin("thread", "u1", comfy.workflow().key);
    for (const name of ["one", "two"]) turns.call("thread", name);
    const results = [start("one"), start("two")];
    await untilBegun("one");
    contexts[0]?.follow?.("opened");
    finish.one?.();
    expect(await Promise.all(results)).toMatchObject([
      { ok: true },
      { ok: false, error: expect.stringMatching(/switched to another workflow/) },
    ]);
  });

  it("does not run a second time what the page before has begun", async () => {
    begun.add("one");
    expect(await start("one")).toMatchObject({ ok: false, code: "stopped" });
    expect(events).toEqual([]);
  });

  it("leaves the calls of a turn to the page that runs it", async () => {
    turns.rejoin("thread", "u1", "open", true);
    const result = start("one");
    expect(
      await Promise.race([result, new Promise((resolve) => setTimeout(() => resolve("open"), 20))]),
    ).toBe("open");
    expect(events).toEqual([]);
    turns.begin("thread", "u2", comfy.workflow().key);
    const mine = start("two");
    await untilBegun("two");
    finish.two?.();
    expect(await mine).toMatchObject({ ok: true });
  });

  it("gives what another page's call gave there, and runs none whose turn is over", async () => {
    turns.rejoin("thread", "u1", comfy.workflow().key, true);
    const [told, untold] = [start("told"), start("untold")];
    const output = { ok: true, summary: "Done." };
    const part = { type: "tool-slow", toolCallId: "told", state: "output-available", input: {}, output };
    turns.readResults([{ id: "a1", role: "assistant", parts: [part as never] }]);
    turns.end("thread", { isFinal: true });
    expect(await told).toEqual(output);
    expect(await untold).toMatchObject({ ok: false, code: "stopped" });
    expect(events).toEqual([]);
  });

  it("goes on with the calls of a page that is gone: not with what that had begun, unless it can be", async () => {
    turns.rejoin("thread", "u1", comfy.workflow().key, true);
    const [fresh, begunThere, noted] = [start("new"), start("begun"), start("noted")];
    turns.hear("begun", undefined);
    turns.hear("noted", { a: 1 });

    turns.takeOver("thread");

    expect(await begunThere).toMatchObject({ ok: false, code: "stopped" });
    for (const name of ["new", "noted"]) {
      await untilBegun(name);
      finish[name]?.();
    }
    expect(await Promise.all([fresh, noted])).toMatchObject([{ ok: true }, { ok: true }]);
    expect(contexts.map(({ outlived }) => outlived)).toEqual([undefined, { a: 1 }]);
    expect(turns.phases.get().get("thread")).toBe("acting");
  });

  it("makes no call of a page that is gone on another workflow than that page's", async () => {
    turns.rejoin("thread", "u1", comfy.workflow().key, true);
    turns.takeOver("thread");
    meant = { name: "Fox" };
    expect(await start("one")).toMatchObject({
      ok: false,
      code: "other-workflow",
      error: 'This turn began on "Fox", in a page that is gone; open here is "Test". Nothing was done.',
    });
    expect(events).toEqual([]);
  });

  it("makes the calls of the page before on the workflow that was open there, and on no other", async () => {
    turns.rejoin("thread", "u1", comfy.workflow().key, false);
    for (const name of ["one", "two"]) turns.call("thread", name);
    meant = { name: "Test" };
    const first = start("one");
    await untilBegun("one");
    finish.one?.();
    expect(await first).toMatchObject({ ok: true });
    await comfy.whole.load({ nodes: [], links: [] }, { newTab: "Owl" });
    expect(await start("two")).toMatchObject({ ok: false, error: expect.stringMatching(/Owl/) });
  });
});
