import type { Toolkit } from "@assistant-ui/react";
import { z } from "zod";
import type { AssistantApi } from "../api/assistantApi";
import { RequestError } from "../api/errors";
import type { Approvals } from "../chat/calls/approvals";
import type { ChatEnvironment, ShowChanges, ToolPresentation } from "../chat/chatContext";
import type { Turns } from "../chat/turn/turns";
import type { Comfy } from "../comfy/bridge";
import type { JsonObject } from "../graph/uiWorkflow";
import type { RunPage } from "../memory/MadeRuns";
import { createFailures, type Failures } from "../repair/failures";
import type { OtherPages } from "../shared/otherPages";
import type { KeyedStore, Store } from "../shared/store";
import type { ToolProgress } from "../shared/toolCalls";
import { browserTools } from "../tools/index";
import type { HelpLine } from "../tools/missing/HelpLine";
import { type OpenWorkflow, openWorkflow } from "../tools/read/openWorkflow";
import type { Reader } from "../tools/read/sight";
import { ToolError } from "../tools/tool";
import { createTypesWithObjects } from "../tools/values/objectsTaken";
import { createAsk } from "./askServer";
import { createBegunCalls } from "./begunCalls";
import type { Claims } from "./claims";
import { keepRuns } from "./keepRuns";
import { keepTurns, restoreTurns } from "./keptTurns";
import { createStays } from "./leaving";
import { makeLeftCalls } from "./leftCalls";
import { watchOpenFile } from "./openFile";
import { createToolPresenter } from "./presentTool";
import { createFollowRenames } from "./renamedWorkflow";
import { createShowChanges } from "./showChanges";
import { createSuggest, type Suggest } from "./suggestions";
import { createToolkit } from "./toolkit";
import { createTurnUndo, type UndoOfTurns } from "./turnUndo";
import { watchLacks } from "./watchLacks";

/** The server tells it to the page that makes the calls of a turn, when a person stops that in another browser. */
const STOP_EVENT = "comfyui-assistant.stop";
const stopNews = z.object({ thread: z.string(), answer: z.string().optional() });

/** All that reaches into ComfyUI's page: more code than the rest of the panel's own, and not needed to type. */
export interface PageAccess {
  comfy: Comfy;
  /** The node types that only the page has, and of the server's what only the page knows. */
  pageTypes(): readonly object[];
  /** What the server is told of it: with a new message, and with its graph always where a small model is, or may come to be, shown that. */
  openWorkflow(reader: Reader, isNew: boolean): Promise<OpenWorkflow | undefined>;
  toolkit: Toolkit;
  makeLeft: NonNullable<ChatEnvironment["makeLeft"]>;
  presentTool(name: string): ToolPresentation;
  turnUndo: UndoOfTurns;
  showChanges: ShowChanges;
  failures: Failures;
  lacks: Store<HelpLine | undefined>;
  freeMemory(): Promise<void>;
  /** Shows what runs made. */
  runPage: RunPage;
  suggest: Suggest;
  /** Of the open workflow. */
  openFile: Store<string | undefined>;
}

export interface PageAccessServices {
  comfy: Comfy;
  api: AssistantApi;
  turns: Turns;
  progress: KeyedStore<ToolProgress>;
  approvals: Approvals;
  threadFiles: KeyedStore<string>;
  claims: Pick<Claims, "begin">;
  otherPages: Pick<OtherPages, "pass">;
}

export function createPageAccess({
  comfy,
  api,
  turns,
  progress,
  approvals,
  threadFiles,
  claims,
  otherPages,
}: PageAccessServices): PageAccess {
  const turnUndo = createTurnUndo(comfy, turns);
  const typesWithObjects = createTypesWithObjects(comfy);
  const known = { comfy, turns, news: turnUndo.news };
  restoreTurns(sessionStorage, known);
  addEventListener("pagehide", () => keepTurns(sessionStorage, known));
  const ask = createAsk(api);
  keepRuns(comfy.queue, ask);
  comfy.hear(STOP_EVENT, (told) => {
    const news = stopNews.safeParse(told).data;
    if (news) otherPages.pass({ ...news, what: "stop" });
  });
  const toolkit = createToolkit(
    browserTools,
    comfy,
    turns,
    progress,
    approvals,
    createBegunCalls(sessionStorage),
    {
      undoNewest: turnUndo.undoNewest,
      undone: turnUndo.settled,
      ask,
      stays: createStays(addEventListener),
      beginCall: claims.begin,
      async seesImages(thread) {
        const status = await api.status(undefined, thread);
        return status.ok ? (status.model.vision ?? undefined) : undefined;
      },
      async readBack(thread, ref) {
        try {
          return await api.readBack(thread, ref);
        } catch (error) {
          if (!(error instanceof RequestError)) throw error;
          throw new ToolError(error.message, error.details.hint);
        }
      },
    },
  );
  return {
    comfy,
    runPage: {
      viewUrl: (file) => comfy.viewUrl({ ...file, kind: "image" }),
      open: (workflow, name) => comfy.whole.load(workflow as JsonObject, { newTab: name }),
    },
    async openWorkflow(reader, isNew) {
      const status = await api.status(undefined, reader.thread);
      if (!status.ok) return isNew ? openWorkflow(comfy, reader) : undefined;
      const { slim } = status.model;
      return isNew || slim ? openWorkflow(comfy, reader, { isShown: slim }) : undefined;
    },
    pageTypes: () => [...comfy.pageTypes(), ...typesWithObjects()],
    toolkit,
    makeLeft: (messages, signal, onOutput) => makeLeftCalls(toolkit, messages, signal, onOutput),
    presentTool: createToolPresenter(browserTools),
    failures: createFailures(comfy),
    turnUndo,
    showChanges: createShowChanges(comfy),
    suggest: createSuggest(comfy),
    lacks: watchLacks(comfy, ask, localStorage),
    openFile: watchOpenFile(comfy, createFollowRenames(api, threadFiles)),
    async freeMemory() {
      await Promise.all([
        comfy.queue.freeMemory(),
        api.send("POST", "/assistant/renders/free", { always: true }),
      ]);
    },
  };
}
