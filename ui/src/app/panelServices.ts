import type { AssistantRuntime, RemoteThreadListAdapter, Toolkit } from "@assistant-ui/react";
import type { AssistantApi } from "../api/assistantApi";
import type { ChatEnvironment } from "../chat/chatContext";
import { createDrafts } from "../chat/drafts";
import { createThreadList } from "../chat/threadList";
import { createThreadRecords } from "../chat/threadRecords";
import type { TurnNotice } from "../chat/turnNotice";
import type { Comfy } from "../comfy/bridge";
import { createKeyedStore } from "../shared/store";
import type { Tool, ToolProgress } from "../tools/tool";
import { createCurrentThread } from "./currentThread";
import { createToolPresenter } from "./presentTool";
import { createThreadRuntimeHook } from "./threadRuntime";
import { createToolkit } from "./toolkit";
import { createTurnRecord } from "./turnRecord";

/** Everything that lives as long as the page, wired once. */
export interface PanelServices {
  api: AssistantApi;
  threadList: RemoteThreadListAdapter;
  useThreadRuntime: () => AssistantRuntime;
  toolkit: Toolkit;
  chat: Omit<ChatEnvironment, "openSettings">;
  currentThread: ReturnType<typeof createCurrentThread>;
}

export function createPanelServices(api: AssistantApi, comfy: Comfy, tools: readonly Tool[]): PanelServices {
  const turns = createTurnRecord();
  const records = createThreadRecords();
  const notices = createKeyedStore<TurnNotice>();
  const progress = createKeyedStore<ToolProgress>();
  return {
    api,
    threadList: createThreadList(api),
    useThreadRuntime: createThreadRuntimeHook({ api, comfy, turns, records, notices }),
    toolkit: createToolkit(tools, comfy, turns, progress),
    chat: {
      presentTool: createToolPresenter(tools),
      progress,
      notices,
      records,
      turns,
      drafts: createDrafts(localStorage),
    },
    currentThread: createCurrentThread(sessionStorage),
  };
}
