import type { AssistantRuntime, RemoteThreadListAdapter } from "@assistant-ui/react";
import { generateId } from "ai";
import type { AssistantApi } from "../api/assistantApi";
import { checkpointText } from "../api/contextReplies";
import type { ErrorDetails } from "../api/errors";
import { createApprovals } from "../chat/calls/approvals";
import type { ChatEnvironment } from "../chat/chatContext";
import { createDrafts } from "../chat/composer/drafts";
import { createHeldMessages } from "../chat/composer/heldMessages";
import { createQueue } from "../chat/composer/queue";
import { createCitedDocuments } from "../chat/messages/citedDocuments";
import type { FoundMessage } from "../chat/messages/useReveal";
import { createLoadedThreads, FIRST_TAIL } from "../chat/threads/loadedThreads";
import { createThreadBranches } from "../chat/threads/threadBranches";
import { createThreadList, type UnopenedThread } from "../chat/threads/threadList";
import type { Live } from "../chat/turn/live";
import type { TurnNotice } from "../chat/turn/turnNotice";
import { createTurns } from "../chat/turn/turns";
import type { Comfy } from "../comfy/bridge";
import { createLazyChunk, type LazyChunk } from "../shared/lazyChunk";
import { createOtherPages } from "../shared/otherPages";
import { createKeyedStore, createStore, type Store } from "../shared/store";
import type { ToolProgress } from "../shared/toolCalls";
import { createClaims } from "./claims";
import { createCurrentThread } from "./currentThread";
import type { PageAccess } from "./pageAccess";
import { createPageName } from "./pageName";
import { createThreadContexts, type ThreadContexts } from "./threadContexts";
import { createThreadRuntimeHook } from "./threadRuntime";
import { createTurnOwner } from "./turnOwner";

/** Everything that lives as long as the page, wired once. */
export interface PanelServices {
  api: AssistantApi;
  threadList: RemoteThreadListAdapter;
  useThreadRuntime: () => AssistantRuntime;
  pageAccess: LazyChunk<PageAccess>;
  contexts: ThreadContexts;
  /** What the conversation needs of the panel and has before the access to the page has loaded. */
  chat: Omit<
    ChatEnvironment,
    | ("openSettings" | "openModels" | "openDocument")
    | ("presentTool" | "turnUndo" | "showChanges" | "freeMemory" | "freeRenders" | "makeLeft")
  >;
  currentThread: ReturnType<typeof createCurrentThread>;
  /** What the person asks about from outside the panel, until it stands in the composer. */
  asked: Store<string | undefined>;
}

/** `loadComfy` is called with the first use of the page, as late as the tools. */
export function createPanelServices(
  api: AssistantApi,
  { pageId, loadComfy }: { pageId(): string | undefined; loadComfy(): Promise<Comfy> },
): PanelServices {
  const otherPages = createOtherPages();
  const pageName = createPageName(pageId, sessionStorage);
  const claims = createClaims(api.claimTurn, pageName);
  const turns = createTurns((call, note) => {
    otherPages.tell({ call, note });
    claims.tell(turns.turnOf([call])?.thread, call, note);
  });
  otherPages.hear((news) => "call" in news && turns.hear(news.call, news.note));
  const turnOwner = createTurnOwner(turns, {
    locks: navigator.locks,
    storage: sessionStorage,
    addEventListener: window.addEventListener.bind(window),
    claim: claims.claim,
  });
  const loadedThreads = createLoadedThreads();
  const reveal = createStore<FoundMessage | undefined>(undefined);
  const notices = createKeyedStore<TurnNotice>();
  const progress = createKeyedStore<ToolProgress>();
  const live = createKeyedStore<Live>();
  const listFailure = createStore<ErrorDetails | undefined>(undefined);
  const unopened = createStore<UnopenedThread | undefined>(undefined);
  const contexts = createThreadContexts(api.context);
  const approvals = createApprovals(localStorage);
  const threadFiles = createKeyedStore<string>();
  const queue = createQueue(localStorage, () => `${Date.now()}-${Math.random()}`);
  const currentThread = createCurrentThread(sessionStorage);
  const held = createHeldMessages(sessionStorage, currentThread.read(), generateId);
  const pageAccess = createLazyChunk(async () => {
    const { createPageAccess } = await import("./pageAccess");
    return createPageAccess({
      comfy: await loadComfy(),
      api,
      turns,
      claims,
      progress,
      approvals,
      threadFiles,
      otherPages,
    });
  });
  return {
    api,
    contexts,
    threadList: createThreadList(api, listFailure, unopened),
    useThreadRuntime: createThreadRuntimeHook({
      api,
      pageAccess,
      turns,
      loadedThreads,
      reveal,
      notices,
      contexts,
      live,
      otherPages,
      turnOwner,
      queue,
      held,
      threadFiles,
      pageName,
    }),
    pageAccess,
    chat: {
      progress,
      approvals,
      notices,
      loadedThreads,
      turns,
      live,
      otherPages,
      turnOwner,
      queue,
      threadFiles,
      readThread: (thread) => api.thread(thread, loadedThreads.get().get(thread)?.tail ?? FIRST_TAIL),
      stopped: api.turns.stopped,
      stopElsewhere: api.stopTurn,
      branches: createThreadBranches(api),
      listFailure,
      unopened,
      reveal,
      searchChats: api.context.search,
      exportThread: api.exportThread,
      held,
      drafts: createDrafts({ texts: localStorage, files: sessionStorage }),
      citedDocuments: createCitedDocuments(api.documents),
      checkpointText: async (threadId, id) => checkpointText(await api.context.read(threadId), id),
    },
    currentThread,
    asked: createStore<string | undefined>(undefined),
  };
}
