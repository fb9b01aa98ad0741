import { threadRoute as at, createClient, type FetchApi } from "./client";
import { type ContextApi, createContextApi } from "./contextApi";
import {
  type Branch,
  branchesReply,
  documentReply,
  handleReply,
  type MeantWorkflow,
  type StatusReply,
  statusReply,
  type ThreadDocument,
  type ThreadReply,
  type ThreadSummary,
  type TurnState,
  threadDocumentsReply,
  threadReply,
  threadSummary,
  threadsReply,
  turnState,
} from "./replies";
import { createTurnStreams, type TurnStreams } from "./turnStreams";

export interface AssistantApi {
  readonly turns: TurnStreams;
  /** `panel`, the name of the main file that this page runs, has it told of updates, `thread` who answers in it. */
  status(panel?: string, thread?: string): Promise<StatusReply>;
  /** Where this ComfyUI asks for one; a cookie remembers it. */
  enterAccessCode(code: string): Promise<void>;
  threads(): Promise<ThreadSummary[]>;
  createThread(): Promise<ThreadSummary>;
  /**
   * The newest `tail` messages of a thread, more of them where `from` is an older one; those before the response that
   * runs in it, if one does.
   */
  thread(id: string, tail: number, from?: string): Promise<ThreadReply>;
  /** Asks for the thread's turn, where the page is gone that makes its calls, and says that this one makes a call. */
  claimTurn(
    id: string,
    claim: { page: string; call?: string; note?: unknown; workflow?: MeantWorkflow },
  ): Promise<TurnState>;
  /** Ends the turn to which this message belongs, else whichever runs. */
  stopTurn(id: string, answer?: string): Promise<void>;
  renameThread(id: string, title: string): Promise<void>;
  deleteThread(id: string): Promise<void>;
  /** A pinned thread is never removed by itself. */
  pinThread(id: string, isPinned: boolean): Promise<void>;
  /** Everything that is kept of a thread, as a JSON file. */
  exportThread(id: string): Promise<Blob>;
  /** The whole of a tool result or message, by its handle. */
  readBack(threadId: string, ref: string): Promise<string>;
  /** Of a document in ComfyUI's input folder. Rejects with why it has none. */
  textOfDocument(file: string): Promise<string>;
  /** The numbered documents of a thread, attached ones and project files. */
  documents(threadId: string): Promise<ThreadDocument[]>;
  branches(threadId: string): Promise<Branch[]>;
  /** Goes on with another branch. */
  switchBranch(threadId: string, branchId: string): Promise<void>;
  /** Any route of this ComfyUI, its other extensions' too. */
  send(method: string, route: string, body?: unknown): Promise<Response>;
  readonly context: ContextApi;
}

/** The extension's HTTP routes. Every method throws a `RequestError` when it fails. */
export function createAssistantApi(fetchApi: FetchApi): AssistantApi {
  const client = createClient(fetchApi);
  const { send, read } = client;
  return {
    context: createContextApi(client),
    send,
    turns: createTurnStreams(client),
    status: (panel = "", thread = "") =>
      read(statusReply, send("GET", `/assistant/status?${new URLSearchParams({ panel, thread })}`)),
    enterAccessCode: async (code) => {
      await send("POST", "/assistant/access", { code });
    },
    threads: async () => (await read(threadsReply, send("GET", "/assistant/threads"))).threads,
    createThread: () => read(threadSummary, send("POST", "/assistant/threads", {})),
    thread(id, tail, from) {
      const wanted = from === undefined ? "" : `&from=${encodeURIComponent(from)}`;
      return read(threadReply, send("GET", `${at(id)}?tail=${tail}&live=true${wanted}`));
    },
    claimTurn: (id, claim) => read(turnState, send("POST", at(id, "page"), claim)),
    stopTurn: async (id, answer) => {
      await send("POST", at(id, "stop"), answer === undefined ? {} : { answer });
    },
    renameThread: async (id, title) => {
      await send("PATCH", at(id), { title });
    },
    pinThread: async (id, pinned) => {
      await send("PATCH", at(id), { pinned });
    },
    exportThread: async (id) => (await send("GET", at(id, "export"))).blob(),
    textOfDocument: async (file) =>
      (await read(documentReply, send("POST", "/assistant/documents/text", { file }))).text,
    readBack: async (threadId, ref) =>
      (await read(handleReply, send("GET", at(threadId, "handles", ref)))).text,
    documents: async (threadId) =>
      (await read(threadDocumentsReply, send("GET", at(threadId, "documents")))).documents,
    branches: async (threadId) => (await read(branchesReply, send("GET", at(threadId, "branches")))).branches,
    switchBranch: async (threadId, branchId) => {
      await send("POST", at(threadId, "branches", branchId), {});
    },
    deleteThread: async (id) => {
      await send("DELETE", at(id));
    },
  };
}
