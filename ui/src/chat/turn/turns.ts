import type { UIMessage } from "ai";
import { createKeyedStore, type KeyedStore } from "../../shared/store";
import {
  browserCalls,
  countBrowserResults,
  hasPendingBrowserCall,
  shouldResubmitAfterToolResult,
} from "./shouldResubmitAfterToolResult";

/** What all calls have in common that answer one message of the person. */
export interface Turn {
  /** Another answer to the same message is another turn. */
  readonly id: string;
  readonly thread: string;
  /** The person's message that it answers. */
  readonly message: string;
  /** The key of the workflow on which it works: of the one that was open here when this page came to the turn. */
  readonly workflow: string;
  /** Which page began it, until this one knows that it works on `workflow`; undefined: this one. */
  readonly begunBy?: "page before" | "another page";
  /** The name of the one that results before it tell of last. */
  readonly lastRead: string | undefined;
}

/** JSON of turns, and of which one each call is. */
export interface KeptTurns {
  turns: readonly Turn[];
  calls: readonly (readonly [string, string])[];
  /** Calls that are made again in the page that comes, with what they tell themselves and what the server told. */
  outliving: readonly (readonly [string, unknown, CallTold?])[];
}

/** What the server tells with a call. */
export interface CallTold {
  /** For the result, in tokens. */
  room?: number;
  /** Where text by others stood that the model had read before. */
  outside?: readonly string[];
}

/** How far a turn is that goes on. */
export type TurnPhase =
  /** The server was asked, and answers. */
  | "answering"
  /** A browser tool is about to run, runs, or its result is about to be sent. */
  | "acting";

/** A call that another page ran. Its `result` is missing where nobody told it. */
interface MadeElsewhere {
  result?: unknown;
}

/** How the answer to one request ended. */
interface End {
  /** It was stopped or failed, or the server says that the turn is over: nothing follows from it. */
  isFinal: boolean;
}

/**
 * Which turn each thread is in, how far it is, and which tool calls belong to it.
 *
 * A thread rests until `begin` or `resume`, then it is answering; a `call` makes it acting, and `resume` answering again.
 * It rests after the `end` of an answer that called nothing, a final `end`, a `stop`, and when `takeResults` has nothing
 * more to send.
 */
export interface Turns {
  /** Of the threads whose turn goes on; the others rest. */
  phases: KeyedStore<TurnPhase>;
  /** Those that were stopped, until the server has said that they are over and the thread shows what it keeps. */
  stopping: KeyedStore<true>;
  /** A message of the person is sent to be answered, maybe once more. */
  begin(thread: string, messageId: string, workflow: string, lastRead?: string): void;
  /** A response is read that runs already. `isElsewhere`: another page runs its calls. */
  rejoin(thread: string, messageId: string, workflow: string, isElsewhere: boolean, lastRead?: string): void;
  /** The page is gone that ran the thread's turn: this one goes on with it, and with those of its calls that outlive it. */
  takeOver(thread: string): void;
  /** Whether another page runs the thread's turn, which this one only shows. */
  isWatched(thread: string): boolean;
  /**
   * Of a call that another page runs, what became of it there, at the latest when the turn is over; nothing from the
   * moment on from which it is this one's.
   */
  elsewhere(toolCallId: string): Promise<MadeElsewhere | undefined> | undefined;
  /** These messages, as the server has them, tell the results of calls that another page ran. */
  readResults(messages: readonly UIMessage[]): void;
  /** The server is asked to go on with the thread's turn. */
  resume(thread: string): void;
  /** The answer calls a browser tool. */
  call(thread: string | undefined, toolCallId: string, told?: CallTold): void;
  end(thread: string | undefined, end: End): void;
  /** Whether to send the newest tool results now; saying yes counts as having sent them. */
  takeResults(thread: string | undefined, messages: UIMessage[]): boolean;
  /** The call is another page's to make, and with it the thread's turn. */
  leave(toolCallId: string): void;
  /** The person stops the turn to which this message belongs. */
  stop(thread: string | undefined, last: UIMessage | undefined): void;
  /** A stopped call never continues its turn, however late it settles. */
  stopCall(toolCallId: string): void;
  /** On this workflow the call's turn goes on: a tool has opened it, or it is known for the turn's own. */
  follow(toolCallId: string, workflow: string): void;
  /** Whether the call is to be made in this page: one of an earlier page may have been carried out already. */
  isNew(toolCallId: string): boolean;
  /** Where the page is loaded anew, the call is made again there; `note` is JSON, undefined where it is not. */
  outlive(toolCallId: string, note: unknown): void;
  /** The note of such a call of the page before. */
  outlived(toolCallId: string): unknown;
  /** Whether its turn was stopped, however far the call was by then. */
  isStopped(toolCallId: string): boolean;
  /** It has done this by now, and goes on. */
  addDone(toolCallId: string, what: string): void;
  doneBy(toolCallId: string): readonly string[];
  /** The call is made now. */
  run(toolCallId: string): void;
  /** Another page makes the call, and has told this note of it, for the case that it goes. */
  hear(toolCallId: string, note: unknown): void;
  /** Nothing where the server told nothing since the page was loaded. */
  toldOf(toolCallId: string): CallTold;
  /** Some of them and those of calls that outlive the page, with their calls, for the same page loaded anew. */
  kept(ids: ReadonlySet<string>): KeptTurns;
  restore(kept: KeptTurns): void;
  /** Those of a thread, in the order in which they began. */
  all(thread: string): readonly Turn[];
  /** The turn in which these were called; undefined when that was before the page was loaded, and is not kept. */
  turnOf(toolCallIds: readonly string[]): Turn | undefined;
}

/** `onRun` hears for other pages which calls this one makes, and their notes. */
export function createTurns(onRun: (toolCallId: string, note: unknown) => void = () => {}): Turns {
  const phases = createKeyedStore<TurnPhase>();
  const stopping = createKeyedStore<true>();
  const turns = new Map<string, Turn>();
  const newest = new Map<string, string>();
  const turnIds = new Map<string, string>();
  const told = new Map<string, CallTold>();
  const stoppedCalls = new Set<string>();
  const done = new Map<string, string[]>();
  const outliving = new Map<string, unknown>();
  const outlived = new Map<string, unknown>();
  const sentResults = new Map<string, number>();
  const watched = new Set<string>();
  const callsElsewhere = new Map<string, PromiseWithResolvers<MadeElsewhere | undefined>>();
  const heard = new Map<string, unknown>();

  function enter(thread: string | undefined, phase: TurnPhase | undefined) {
    if (thread !== undefined) phases.put(thread, phase);
  }

  function leaveCallsElsewhere(
    thread: string | undefined,
    settle: (call: string) => MadeElsewhere | undefined,
  ) {
    for (const [call, { resolve }] of callsElsewhere) {
      if (turnOf([call])?.thread !== thread) continue;
      callsElsewhere.delete(call);
      resolve(settle(call));
    }
  }

  function rest(thread: string | undefined) {
    leaveCallsElsewhere(thread, () => ({}));
    enter(thread, undefined);
  }

  function stopCall(toolCallId: string) {
    stoppedCalls.add(toolCallId);
    outliving.delete(toolCallId);
  }

  function turnOf(toolCallIds: readonly string[]): Turn | undefined {
    const id = toolCallIds.map((call) => turnIds.get(call)).find((turn) => turn !== undefined);
    return id === undefined ? undefined : turns.get(id);
  }

  function begin(
    thread: string,
    message: string,
    workflow: string,
    lastRead?: string,
    begunBy?: Turn["begunBy"],
  ) {
    const id = `${message}#${Math.random()}`;
    turns.set(id, { id, thread, message, workflow, lastRead, ...(begunBy && { begunBy }) });
    newest.set(thread, id);
    watched[begunBy === "another page" ? "add" : "delete"](thread);
    enter(thread, "answering");
  }

  return {
    phases,
    stopping,
    begin: (thread, message, workflow, lastRead) => begin(thread, message, workflow, lastRead),
    rejoin: (thread, messageId, workflow, isElsewhere, lastRead) =>
      begin(thread, messageId, workflow, lastRead, isElsewhere ? "another page" : "page before"),
    takeOver(thread) {
      watched.delete(thread);
      leaveCallsElsewhere(thread, (call) => {
        const note = heard.get(call);
        if (note !== undefined) outlived.set(call, note);
        else if (heard.has(call)) told.delete(call);
        return undefined;
      });
    },
    isWatched: (thread) => watched.has(thread),
    elsewhere: (toolCallId) => callsElsewhere.get(toolCallId)?.promise,
    readResults(messages) {
      for (const { toolCallId, state, output } of messages.flatMap(browserCalls)) {
        const call = callsElsewhere.get(toolCallId);
        if (!call || !state.startsWith("output-")) continue;
        callsElsewhere.delete(toolCallId);
        call.resolve(output === undefined ? {} : { result: output });
      }
    },
    resume(thread) {
      watched.delete(thread);
      enter(thread, "answering");
    },
    call(thread, toolCallId, more = {}) {
      told.set(toolCallId, more);
      const id = thread === undefined ? undefined : newest.get(thread);
      if (id !== undefined) turnIds.set(toolCallId, id);
      if (thread !== undefined && watched.has(thread))
        callsElsewhere.set(toolCallId, Promise.withResolvers());
      enter(thread, "acting");
    },
    end(thread, { isFinal }) {
      const isActing = thread !== undefined && phases.get().get(thread) === "acting";
      if (isFinal || !isActing) rest(thread);
    },
    takeResults(thread, messages) {
      if (thread !== undefined && watched.has(thread)) return false;
      const last = messages.at(-1);
      if (last && shouldResubmitAfterToolResult(messages, { stoppedCalls, sentResults })) {
        sentResults.set(last.id, countBrowserResults(last));
        return true;
      }
      if (!last || !hasPendingBrowserCall(last)) enter(thread, undefined);
      return false;
    },
    leave(toolCallId) {
      const thread = turnOf([toolCallId])?.thread;
      if (thread === undefined) return;
      watched.add(thread);
      callsElsewhere.set(toolCallId, Promise.withResolvers());
      enter(thread, "answering");
    },
    stop(thread, last) {
      for (const { toolCallId } of last ? browserCalls(last) : []) stopCall(toolCallId);
      rest(thread);
    },
    stopCall,
    follow(toolCallId, workflow) {
      const turn = turnOf([toolCallId]);
      if (!turn) return;
      const { begunBy: _, ...others } = turn;
      turns.set(turn.id, { ...others, workflow });
    },
    isNew: (toolCallId) => told.has(toolCallId),
    outlive(toolCallId, note) {
      if (note === undefined) outliving.delete(toolCallId);
      else if (!stoppedCalls.has(toolCallId)) outliving.set(toolCallId, note);
      onRun(toolCallId, outliving.get(toolCallId));
    },
    run(toolCallId) {
      if (stoppedCalls.has(toolCallId)) return;
      onRun(toolCallId, undefined);
      enter(turnOf([toolCallId])?.thread, "acting");
    },
    hear: (toolCallId, note) => void heard.set(toolCallId, note),
    outlived: (toolCallId) => outlived.get(toolCallId),
    addDone: (toolCallId, what) => void done.set(toolCallId, [...(done.get(toolCallId) ?? []), what]),
    doneBy: (toolCallId) => done.get(toolCallId) ?? [],
    isStopped: (toolCallId) => stoppedCalls.has(toolCallId),
    toldOf: (toolCallId) => told.get(toolCallId) ?? {},
    kept(made) {
      const ids = new Set(made);
      for (const call of outliving.keys()) ids.add(turnIds.get(call) ?? "");
      return {
        turns: [...turns.values()].filter(({ id }) => ids.has(id)),
        calls: [...turnIds].filter(([, id]) => ids.has(id)),
        outliving: [...outliving].map(([call, note]) => [call, note, told.get(call) ?? {}] as const),
      };
    },
    restore(kept) {
      // Keys of workflows are those of one page.
      for (const turn of kept.turns) turns.set(turn.id, { ...turn, begunBy: "page before" });
      for (const [call, id] of kept.calls) turnIds.set(call, id);
      for (const [call, note, more = {}] of kept.outliving) {
        told.set(call, more);
        outlived.set(call, note);
      }
    },
    all: (thread) => [...turns.values()].filter((turn) => turn.thread === thread),
    turnOf,
  };
}
