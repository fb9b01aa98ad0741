import type { UIMessage } from "ai";
import { createContext, type ReactNode, useContext } from "react";
import type { SearchHit } from "../api/contextReplies";
import type { ErrorDetails } from "../api/errors";
import type { ThreadReply, TurnState } from "../api/replies";
import type { OtherPages } from "../shared/otherPages";
import type { KeyedStore, Store } from "../shared/store";
import type { ToolProgress } from "../shared/toolCalls";
import type { Approvals } from "./calls/approvals";
import type { GraphChange } from "./calls/graphChanges";
import type { Drafts } from "./composer/drafts";
import type { HeldMessages } from "./composer/heldMessages";
import type { Queue } from "./composer/queue";
import type { CitedDocuments } from "./messages/citedDocuments";
import type { FoundMessage } from "./messages/useReveal";
import type { LoadedThreads } from "./threads/loadedThreads";
import type { ThreadBranches } from "./threads/threadBranches";
import type { UnopenedThread } from "./threads/threadList";
import type { Live } from "./turn/live";
import type { TurnNotice } from "./turn/turnNotice";
import type { Turns } from "./turn/turns";

/** How a tool shows itself in the conversation. */
export interface ToolPresentation {
  label(args: Record<string, unknown>): string;
  /** In place of the result's summary, where that is for models. */
  outcome?(result: unknown): string | undefined;
  render?(props: {
    args: Record<string, unknown>;
    result: unknown;
    freeMemory: ChatEnvironment["freeMemory"];
  }): ReactNode;
}

/** Takes back what a turn has changed in workflows, and makes it again. */
export interface TurnUndo {
  /** Undefined for a turn that changed nothing, or of which nothing is known since the page was loaded. */
  state(turn: string): "done" | "undone" | undefined;
  /** Counts the times that a turn was undone or redone. */
  count: Store<number>;
  /** Says what is in the way; then nothing is changed. */
  toggle(turn: string): Promise<readonly string[]>;
}

/**
 * Shows on the canvas what is there of these changes, in the workflow of that key where it is known. False where
 * nothing of them is.
 */
export type ShowChanges = (changes: readonly GraphChange[], workflow?: string) => Promise<boolean>;

interface OfToolCalls {
  presentTool(name: string): ToolPresentation;
  progress: KeyedStore<ToolProgress>;
  approvals: Approvals;
  turns: Turns;
  /** Of threads, what is to be read instead of a new response being asked for. */
  live: KeyedStore<Live>;
  otherPages: OtherPages;
  /** Waits for the page to go that runs a thread's turn, and takes that; returns what ends the waiting. */
  turnOwner: { succeed(thread: string, onState: (state: TurnState) => Promise<void>): () => void };
  turnUndo: TurnUndo;
  showChanges: ShowChanges;
}

interface OfThreads {
  loadedThreads: LoadedThreads;
  branches: ThreadBranches;
  notices: KeyedStore<TurnNotice>;
  drafts: Drafts;
  held: HeldMessages;
  /** By threads in which a message was sent on this page, the file that was open then. */
  threadFiles: KeyedStore<string>;
  queue: Queue;
  citedDocuments: CitedDocuments;
  /** The messages of a thread as the server has them, as many of the newest as are shown. */
  readThread(threadId: string): Promise<ThreadReply>;
  /** Resolves when the server has answered all that this page has stopped in a thread. */
  stopped(threadId: string): Promise<void>;
  /** Ends the turn of this message, else the one that runs, in whichever browser or ComfyUI that is. */
  stopElsewhere(threadId: string, answer?: string): Promise<void>;
  /** What a compaction of a thread has left of what it condensed. */
  checkpointText(threadId: string, compactionId: string): Promise<string>;
}

interface OfChatList {
  /** Why the last change of the list did not last. */
  listFailure: Store<ErrorDetails | undefined>;
  /** The last one that could not be opened, until that was told. */
  unopened: Store<UnopenedThread | undefined>;
  searchChats(query: string): Promise<SearchHit[]>;
  exportThread(id: string): Promise<Blob>;
  /** A message to bring into view as soon as its thread is open. */
  reveal: Store<FoundMessage | undefined>;
}

/** What the conversation needs from the rest of the panel. */
export interface ChatEnvironment extends OfToolCalls, OfThreads, OfChatList {
  /** Undefined while they stand there already. */
  openSettings: (() => void) | undefined;
  /** The menu of those that may answer in this chat. */
  openModels(): void;
  /** A document of the open thread, at the place that a sentence is about. */
  openDocument(number: number, near: string): void;
  /** Has ComfyUI's models and a language model on this machine leave the graphics memory. */
  freeMemory(): Promise<void>;
  /** The same of ComfyUI's models alone. */
  freeRenders(): Promise<void>;
  /** Makes the calls that an earlier page has left open in these messages. */
  makeLeft(
    messages: readonly UIMessage[],
    signal: AbortSignal,
    onOutput: (output: { tool: string; toolCallId: string; output: unknown }) => void,
  ): void;
}

const ChatContext = createContext<ChatEnvironment | undefined>(undefined);
export const ChatProvider = ChatContext.Provider;

export function useChatEnvironment(): ChatEnvironment {
  const environment = useContext(ChatContext);
  if (!environment) throw new Error("A conversation was rendered outside ChatProvider.");
  return environment;
}
