import { useAui } from "@assistant-ui/react";
import type { ComponentProps } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { Markdown } from "../chat/markdown/Markdown";
import { ChatList } from "../chat/threads/ChatList";
import { useThreadId } from "../chat/threads/useThreadId";
import { CostsPage } from "../costs/CostsPage";
import { DocumentView } from "../files/DocumentView";
import { FilesPage } from "../files/FilesPage";
import { MemoryPage } from "../memory/MemoryPage";
import { ModelMenu } from "../settings/ModelMenu";
import type { ProvidersPage } from "../settings/ProvidersPage";
import { SettingsPage } from "../settings/SettingsPage";
import { SkillsPage } from "../skills/SkillsPage";
import { Backdrop } from "../ui/Backdrop";
import { Overlay } from "../ui/Overlay";
import { YouPage } from "../you/YouPage";
import { CoveringView } from "./CoveringView";
import { OpenThreadContext } from "./OpenThreadContext";
import type { PanelView } from "./panelView";
import type { ThreadAction } from "./threadActions";
import type { ThreadContexts } from "./threadContexts";

interface Props {
  view: PanelView;
  settings: ComponentProps<typeof ProvidersPage>;
  api: AssistantApi;
  contexts: ThreadContexts;
  /** Of the open workflow. */
  file: string | undefined;
  page: ComponentProps<typeof MemoryPage>["page"];
  onView(view: PanelView): void;
  perform(action: ThreadAction): void;
  onClose(): void;
}

export function ViewOverConversation({
  view,
  settings,
  api,
  contexts,
  file,
  page,
  onView,
  perform,
  onClose,
}: Props) {
  const threadId = useThreadId();
  const aui = useAui();
  const openThread = (id: string) => {
    void aui.threads.switchToThread(id);
    onClose();
  };
  switch (view.kind) {
    case "settings":
      return (
        <CoveringView title="Settings" onClose={onClose}>
          <SettingsPage {...settings} provider={view.provider} onPage={(kind) => onView({ kind })} />
        </CoveringView>
      );
    case "models":
      return (
        <>
          <Backdrop label="Close models" isUnseen onClick={onClose} />
          <ModelMenu
            api={api}
            threadId={threadId}
            onChoose={(wanted) => {
              onClose();
              perform({ kind: "answerer", wanted });
            }}
            onSettings={() => onView({ kind: "settings" })}
            onClose={onClose}
          />
        </>
      );
    case "skills":
      return (
        <CoveringView title="Skills" onClose={onClose}>
          <SkillsPage api={api} threadId={threadId} Markdown={Markdown} />
        </CoveringView>
      );
    case "costs":
      return (
        <CoveringView title="Costs" onClose={onClose}>
          <CostsPage api={api} threadId={threadId} onOpen={openThread} />
        </CoveringView>
      );
    case "memory":
      return (
        <CoveringView title="Memory" onClose={onClose}>
          <MemoryPage api={api} threadId={threadId} page={page} />
        </CoveringView>
      );
    case "files":
      return (
        <CoveringView title="Files" onClose={onClose}>
          <FilesPage api={api} threadId={threadId} />
        </CoveringView>
      );
    case "document":
      return (
        threadId !== undefined && (
          <CoveringView title={`Document ${view.number}`} onClose={onClose}>
            <DocumentView api={api} threadId={threadId} number={view.number} near={view.near} />
          </CoveringView>
        )
      );
    case "you":
      return (
        <CoveringView title="You" onClose={onClose}>
          <YouPage api={api} part={view.part} />
        </CoveringView>
      );
    case "context":
      return (
        <OpenThreadContext
          api={api.context}
          contexts={contexts}
          page={view.page}
          onPage={(page) => onView({ kind: "context", page })}
          perform={perform}
          onClose={onClose}
        />
      );
    case "chats":
      return (
        <>
          <Backdrop label="Close chats" onClick={onClose} />
          <Overlay title="Chats" extent="side" onClose={onClose}>
            <ChatList query={view.query} file={file} onOpened={onClose} />
          </Overlay>
        </>
      );
  }
}
