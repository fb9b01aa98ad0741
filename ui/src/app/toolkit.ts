import type { Toolkit } from "@assistant-ui/react";
import type { MeantWorkflow } from "../api/replies";
import type { Approvals } from "../chat/calls/approvals";
import type { Turns } from "../chat/turn/turns";
import type { Comfy } from "../comfy/bridge";
import type { KeyedStore } from "../shared/store";
import { createTaskQueue } from "../shared/taskQueue";
import type { ToolProgress } from "../shared/toolCalls";
import type { Ask } from "../tools/missing/ask";
import { openWorkflow } from "../tools/read/sources";
import { roomOf } from "../tools/room";
import { runTool, type Tool, type ToolResult } from "../tools/tool";
import type { BegunCalls } from "./begunCalls";
import { createCallOrder } from "./callOrder";
import type { Claims } from "./claims";
import { isWorkflowOf, told } from "./turnWorkflow";

const STOPPED: ToolResult = { ok: false, code: "stopped", error: "Stopped by the user." };

const NOT_KNOWN: ToolResult = {
  ok: false,
  code: "stopped",
  error: "The page was closed or loaded anew before this call ended; what it had done by then stays.",
};

/** What tools need beside the page. */
export interface ServerKnowledge {
  /** Whether the model of a thread does, or the default one. */
  seesImages(thread?: string): Promise<boolean | undefined>;
  /** The whole of an earlier result or message of a thread. Throws a ToolError where there is none. */
  readBack(thread: string, ref: string): Promise<string>;
  /** Whether this page is the one that makes the call, of all that show its thread. */
  beginCall: Claims["begin"];
  undoNewest(thread: string): Promise<readonly string[] | undefined>;
  /** Resolves when the turns are undone that the person has just asked to undo. */
  undone(): Promise<unknown>;
  ask: Ask;
  /** Resolves once the page stays: what fails before says nothing. */
  stays(): Promise<void>;
}

/**
 * The browser tools as assistant-ui runs them.
 *
 * Calls of one step are started together; they are run one after the other, in the order in which the model wrote
 * them, since "set a value, then run" must not race. What only reads waits for no question of another chat. assistant-ui starts those as well that an earlier
 * page has left open.
 */
export function createToolkit(
  tools: readonly Tool[],
  comfy: Comfy,
  turns: Turns,
  progress: KeyedStore<ToolProgress>,
  approvals: Pick<Approvals, "confirm" | "pending">,
  begun: BegunCalls,
  { seesImages, readBack, beginCall, undoNewest, undone, ask, stays }: ServerKnowledge,
): Toolkit {
  const inOrder = createCallOrder(approvals.pending, (call) => turns.turnOf([call])?.thread);
  const asked = createTaskQueue();
  /** Those that are being made: each once, whoever asks for it. */
  const calls = new Map<string, Promise<ToolResult>>();

  async function execute(tool: Tool, args: unknown, toolCallId: string, signal: AbortSignal, meant?: string) {
    const turn = turns.turnOf([toolCallId]);
    const { room, outside } = turns.toldOf(toolCallId);
    try {
      return await Promise.race([
        runTool(tool, args, comfy, {
          signal,
          room: roomOf(room),
          ...(outside && { outside }),
          onProgress: (latest) => progress.put(toolCallId, latest),
          seesImages: () => seesImages(turn?.thread),
          ask,
          hasDone: (what) => turns.addDone(toolCallId, what),
          outlive: (note) => turns.outlive(toolCallId, note),
          outlived: turns.outlived(toolCallId),
          confirm: (request) =>
            approvals.confirm(toolCallId, { ...request, ...askedBeside(outside) }, signal),
          ...(turn && {
            turn: turn.id,
            thread: turn.thread,
            readBack: (ref: string) => readBack(turn.thread, ref),
            workflow: turn.workflow,
            ...(meant && { meant }),
            lastRead: turn.lastRead,
            undo: () => undoNewest(turn.thread),
            follow: (workflow: string) => turns.follow(toolCallId, workflow),
          }),
        }),
        stopped(signal),
      ]);
    } finally {
      const soFar = signal.aborted ? progress.get().get(toolCallId)?.soFar : undefined;
      progress.put(toolCallId, soFar === undefined ? undefined : { soFar });
    }
  }

  /** The name of the workflow for which a turn of another page was asked, unless it is open here. */
  function otherThanMeant(toolCallId: string, workflow: MeantWorkflow | undefined): string | undefined {
    const begunBy = turns.turnOf([toolCallId])?.begunBy;
    if (!begunBy || !workflow) return undefined;
    const open = comfy.workflow();
    if (!isWorkflowOf(begunBy, open, workflow)) return workflow.name;
    turns.follow(toolCallId, open.key);
    return undefined;
  }

  /** What the page before has begun ends with a Stop that comes before this page is so far as to go on with it. */
  async function make(
    tool: Tool,
    args: unknown,
    toolCallId: string,
    given?: AbortSignal,
  ): Promise<ToolResult> {
    const isStopped = turns.isStopped(toolCallId);
    const signal = isStopped ? AbortSignal.abort() : (given ?? new AbortController().signal);
    if (turns.outlived(toolCallId) === undefined) return makeNow(tool, args, toolCallId, signal);
    let isGoingOn = false;
    const end = () => {
      if (!isGoingOn) void execute(tool, args, toolCallId, signal).catch(() => {});
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    return makeNow(tool, args, toolCallId, signal, () => {
      isGoingOn = true;
    });
  }

  async function makeNow(
    tool: Tool,
    args: unknown,
    toolCallId: string,
    abortSignal: AbortSignal,
    onBegin = () => {},
  ): Promise<ToolResult> {
    const thread = turns.turnOf([toolCallId])?.thread;
    let meant: string | undefined;
    for (;;) {
      const there = await turns.elsewhere(toolCallId);
      const known = (there?.result as ToolResult | undefined) ?? begun.resultOf(toolCallId);
      if (known) return known;
      const isBegun = begun.has(toolCallId) && turns.outlived(toolCallId) === undefined;
      if (there || isBegun || !turns.isNew(toolCallId)) {
        turns.stopCall(toolCallId);
        return NOT_KNOWN;
      }
      if (thread === undefined) break;
      const claim = await asked(() =>
        beginCall(thread, toolCallId, abortSignal, told(comfy.workflow(), turns.turnOf([toolCallId]))),
      );
      if (claim.isMine) {
        if (claim.unsure !== undefined && /runs$/.test(tool.effect)) {
          turns.run(toolCallId);
          return notSure(claim.unsure);
        }
        meant = otherThanMeant(toolCallId, claim.workflow);
        break;
      }
      turns.leave(toolCallId);
    }
    begun.add(toolCallId);
    if (!abortSignal.aborted) turns.run(toolCallId);
    try {
      const call = {
        thread,
        isReading: tool.effect === "reads" && !tool.opensOther?.(Object(args)),
        onHeld: (isHeld: boolean) =>
          progress.put(toolCallId, isHeld ? { text: "Waits for the question in another chat" } : undefined),
      };
      const result = await inOrder(call, async () => {
        await undone();
        if (!abortSignal.aborted) onBegin();
        const made = await execute(tool, args, toolCallId, abortSignal, meant);
        if (!made.ok) await stays();
        return made;
      });
      // The turn of one that was stopped ends with it, also where the page is loaded anew.
      if (!abortSignal.aborted) begun.settle(toolCallId, result);
      return result;
    } finally {
      if (abortSignal.aborted) turns.stopCall(toolCallId);
    }
  }

  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      {
        type: "frontend" as const,
        description: tool.description,
        // The server has its own copy of the schema, and the tool checks its arguments itself.
        parameters: { type: "object" as const },
        execute: (args: unknown, { toolCallId, abortSignal }: ExecuteContext) => {
          const made =
            calls.get(toolCallId) ??
            make(tool, args, toolCallId, abortSignal).finally(() => calls.delete(toolCallId));
          calls.set(toolCallId, made);
          return made;
        },
        render: () => null,
      },
    ]),
  );
}

interface ExecuteContext {
  toolCallId: string;
  abortSignal?: AbortSignal;
}

/** A stopped call settles at once, even if its tool needs a moment to notice, so that Stop never waits. */
function stopped(signal: AbortSignal): Promise<ToolResult> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(STOPPED);
    else signal.addEventListener("abort", () => resolve(STOPPED), { once: true });
  });
}

/** The open workflow stands on the canvas, and each turn has read it. */
function askedBeside(outside: readonly string[] = []): { outside?: readonly string[] } {
  const others = outside.filter((each) => !each.startsWith(openWorkflow));
  return others.length > 0 ? { outside: others } : {};
}

/** Of what may cost: another page must not do it as well. */
function notSure(why: string): ToolResult {
  return {
    ok: false,
    error: `Nothing was done: the server did not say whether another page makes this call (${why})`,
    hint: "Call it again in a moment.",
  };
}
