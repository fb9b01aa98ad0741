import { AssistantRuntimeProvider, AuiConfig, Tools, useRemoteThreadListRuntime } from "@assistant-ui/react";
import { useMemo, useState } from "react";
import { ChatProvider } from "../chat/chatContext";
import { type Store, useStore } from "../shared/store";
import { PanelRoot } from "../ui/PanelRoot";
import { AccessForm } from "./AccessForm";
import { Conversation } from "./Conversation";
import type { PanelServices } from "./panelServices";
import type { PanelView } from "./panelView";
import { StartFailure } from "./StartFailure";
import { useStatus } from "./useStatus";

interface Props {
  services: PanelServices;
  /** The name of the panel's main file. */
  file: string;
  showings: Store<{ count: number; focusRequest: number }>;
}

export function PanelApp({ services, file, showings }: Props) {
  const { pageAccess } = services;
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
  const config = AuiConfig({ tools: Tools({ toolkit: pageAccess.toolkit }) });
  const environment = useMemo(
    () => ({
      ...services.chat,
      openSettings: () => setView({ kind: "settings", provider: answering }),
      openModels: () => setView({ kind: "models" }),
      openDocument: (number: number, near: string) => setView({ kind: "document", number, near }),
    }),
    [services, answering],
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
          pageAccess={pageAccess}
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
