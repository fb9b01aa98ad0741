import { AssistantRuntimeProvider, AuiConfig, Tools, useRemoteThreadListRuntime } from "@assistant-ui/react";
import { useMemo, useState } from "react";
import { ChatProvider, type TurnUndo } from "../chat/chatContext";
import type { LazyChunk } from "../shared/lazyChunk";
import { createStore, type Store, useStore } from "../shared/store";
import { useLazyChunk } from "../ui/LazyView";
import { PanelRoot } from "../ui/PanelRoot";
import { AccessForm } from "./AccessForm";
import { Conversation } from "./Conversation";
import type { PageAccess } from "./pageAccess";
import type { PanelServices } from "./panelServices";
import type { PanelView } from "./panelView";
import { createToolPresenter } from "./presentTool";
import { StartFailure } from "./StartFailure";
import { useStatus } from "./useStatus";

const NO_TOOLS = {};
const NOTHING_TO_UNDO: TurnUndo = {
  state: () => undefined,
  count: createStore(0),
  toggle: async () => [],
};
const NO_FILE = createStore<string | undefined>(undefined);
const presentByName = createToolPresenter([]);

interface Props {
  services: PanelServices;
  /** The name of the panel's main file. */
  file: string;
  showings: Store<{ count: number; focusRequest: number }>;
}

export function PanelApp({ services, file, showings }: Props) {
  const pageAccess = usePageAccess(services.pageAccess);
  const { count, focusRequest } = useStore(showings);
  const [view, setView] = useState<PanelView>();
  const [rememberedThread] = useState(services.currentThread.read);
  const [thread, setThread] = useState(rememberedThread);
  const { status, hasWorked, refresh } = useStatus(services.api, file, count, thread);
  const answering = status.kind === "ready" ? status.model.provider : undefined;
  const runtime = useRemoteThreadListRuntime({
    adapter: services.threadList,
    runtimeHook: services.useThreadRuntime,
    initialThreadId: rememberedThread,
    onThreadIdChange(id) {
      services.currentThread.write(id);
      setThread(id);
    },
  });
  const config = AuiConfig({ tools: Tools({ toolkit: pageAccess?.toolkit ?? NO_TOOLS }) });
  const environment = useMemo(
    () => ({
      ...services.chat,
      presentTool: pageAccess?.presentTool ?? presentByName,
      turnUndo: pageAccess?.turnUndo ?? NOTHING_TO_UNDO,
      showChanges: pageAccess?.showChanges,
      freeMemory: pageAccess?.freeMemory,
      freeRenders: pageAccess?.comfy.queue.freeMemory,
      makeLeft: pageAccess?.makeLeft,
      openSettings: () => setView({ kind: "settings", provider: answering }),
      openModels: () => setView({ kind: "models" }),
      openDocument: (number: number, near: string) => setView({ kind: "document", number, near }),
    }),
    [services, pageAccess, answering],
  );
  if (status.kind === "failed" && status.details.code === "access_code_needed")
    return (
      <PanelRoot>
        <AccessForm api={services.api} details={status.details} onEntered={() => void refresh()} />
      </PanelRoot>
    );
  if (status.kind === "failed" && !hasWorked)
    return (
      <PanelRoot>
        <StartFailure
          title="The assistant cannot start"
          details={status.details}
          onRetry={() => void refresh()}
        />
      </PanelRoot>
    );
  return (
    <AssistantRuntimeProvider runtime={runtime} config={config}>
      <ChatProvider value={environment}>
        <Conversation
          api={services.api}
          failures={pageAccess?.failures}
          lacks={pageAccess?.lacks}
          openFile={pageAccess?.openFile ?? NO_FILE}
          suggest={pageAccess?.suggest}
          page={pageAccess?.runPage}
          contexts={services.contexts}
          status={status}
          returning={rememberedThread !== undefined}
          focusRequest={focusRequest}
          asked={services.asked}
          view={view}
          onView={setView}
          onSettingsSaved={() => void refresh()}
        />
      </ChatProvider>
    </AssistantRuntimeProvider>
  );
}

/** Undefined for the moment that its chunk takes; no message is sent before it is there. */
function usePageAccess(chunk: LazyChunk<PageAccess>): PageAccess | undefined {
  const state = useLazyChunk(chunk);
  return state.kind === "ready" ? state.content : undefined;
}
