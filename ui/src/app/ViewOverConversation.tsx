import { useAui } from "@assistant-ui/react";
import type { ComponentProps } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { LazyMarkdown } from "../chat/markdown/LazyMarkdown";
import { useThreadId } from "../chat/threads/useThreadId";
import type { MemoryPage } from "../memory/MemoryPage";
import type { ProvidersPage } from "../settings/ProvidersPage";
import { Backdrop } from "../ui/Backdrop";
import { LazyView } from "../ui/LazyView";
import { Overlay } from "../ui/Overlay";
import { CoveringView } from "./CoveringView";
import {
  chatList,
  costsPage,
  documentView,
  filesPage,
  memoryPage,
  modelMenu,
  settingsPage,
  skillsPage,
  youPage,
} from "./lazyViews";
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
  /** Undefined until the access to the page has loaded. */
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
          <LazyView
            name="The settings"
            view={settingsPage}
            props={{
              ...settings,
              provider: view.provider,
              onPage: (kind) => onView({ kind }),
            }}
          />
        </CoveringView>
      );
    case "models":
      return (
        <>
          <Backdrop label="Close models" isUnseen onClick={onClose} />
          <LazyView
            name="The models"
            view={modelMenu}
            placeholder={null}
            props={{
              api,
              threadId,
              onChoose(wanted) {
                onClose();
                perform({ kind: "answerer", wanted });
              },
              onSettings: () => onView({ kind: "settings" }),
              onClose,
            }}
          />
        </>
      );
    case "skills":
      return (
        <CoveringView title="Skills" onClose={onClose}>
          <LazyView name="The skills" view={skillsPage} props={{ api, threadId, Markdown: LazyMarkdown }} />
        </CoveringView>
      );
    case "costs":
      return (
        <CoveringView title="Costs" onClose={onClose}>
          <LazyView name="The costs" view={costsPage} props={{ api, threadId, onOpen: openThread }} />
        </CoveringView>
      );
    case "memory":
      return (
        <CoveringView title="Memory" onClose={onClose}>
          <LazyView name="The memory" view={memoryPage} props={{ api, threadId, page }} />
        </CoveringView>
      );
    case "files":
      return (
        <CoveringView title="Files" onClose={onClose}>
          <LazyView name="The files" view={filesPage} props={{ api, threadId }} />
        </CoveringView>
      );
    case "document":
      return (
        threadId !== undefined && (
          <CoveringView title={`Document ${view.number}`} onClose={onClose}>
            <LazyView
              name="The document"
              view={documentView}
              props={{ api, threadId, number: view.number, near: view.near }}
            />
          </CoveringView>
        )
      );
    case "you":
      return (
        <CoveringView title="You" onClose={onClose}>
          <LazyView name="Your words" view={youPage} props={{ api, part: view.part }} />
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
            <LazyView
              name="The chats"
              view={chatList}
              props={{ query: view.query, file, onOpened: onClose }}
            />
          </Overlay>
        </>
      );
  }
}
