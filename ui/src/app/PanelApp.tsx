import { AssistantRuntimeProvider, AuiConfig, Tools, useRemoteThreadListRuntime } from "@assistant-ui/react";
import { useMemo, useState } from "react";
import { ChatProvider } from "../chat/chatContext";
import { type Store, useStore } from "../shared/store";
import { Conversation } from "./Conversation";
import type { PanelServices } from "./panelServices";
import { StartFailure } from "./StartFailure";
import { useStatus } from "./useStatus";

interface Props {
  services: PanelServices;
  showings: Store<{ count: number; focusRequest: number }>;
}

export function PanelApp({ services, showings }: Props) {
  const { count, focusRequest } = useStore(showings);
  const { status, hasWorked, refresh } = useStatus(services.api, count);
  const [settingsOpen, setSettingsOpen] = useState(false);
  const [rememberedThread] = useState(services.currentThread.read);
  const runtime = useRemoteThreadListRuntime({
    adapter: services.threadList,
    runtimeHook: services.useThreadRuntime,
    initialThreadId: rememberedThread,
    onThreadIdChange: services.currentThread.write,
  });
  const config = AuiConfig({ tools: Tools({ toolkit: services.toolkit }) });
  const environment = useMemo(
    () => ({ ...services.chat, openSettings: () => setSettingsOpen(true) }),
    [services],
  );
  if (status.kind === "failed" && !hasWorked)
    return (
      <div className="cass-root">
        <StartFailure
          title="The assistant cannot start"
          details={status.details}
          onRetry={() => void refresh()}
        />
      </div>
    );
  return (
    <AssistantRuntimeProvider runtime={runtime} config={config}>
      <ChatProvider value={environment}>
        <Conversation
          api={services.api}
          status={status}
          returning={rememberedThread !== undefined}
          focusRequest={focusRequest}
          settingsOpen={settingsOpen}
          onSettingsOpen={setSettingsOpen}
          onSettingsSaved={() => void refresh()}
        />
      </ChatProvider>
    </AssistantRuntimeProvider>
  );
}
