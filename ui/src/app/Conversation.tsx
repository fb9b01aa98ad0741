import { useAui, useAuiState } from "@assistant-ui/react";
import { type ComponentProps, type ReactNode, useMemo, useRef, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { ChatProvider, useChatEnvironment } from "../chat/chatContext";
import { ApprovalModeButton } from "../chat/composer/ApprovalModeButton";
import { Composer } from "../chat/composer/Composer";
import { useAttachments } from "../chat/composer/useAttachments";
import { Thread } from "../chat/Thread";
import { OfferedChat } from "../chat/threads/OfferedChat";
import { useTurnIsRunning } from "../chat/turn/useTurn";
import { Onboarding } from "../onboarding/Onboarding";
import { FailureNotice } from "../repair/FailureNotice";
import { ProviderForm } from "../settings/ProviderForm";
import type { ProvidersPage } from "../settings/ProvidersPage";
import type { TypedFields } from "../settings/useProviderForm";
import { type Store, useStore } from "../shared/store";
import type { HelpLine } from "../tools/missing/HelpLine";
import { PanelRoot } from "../ui/PanelRoot";
import { useFileDrop } from "../ui/useFileDrop";
import { useKeptFocus } from "../ui/useKeptFocus";
import { EmptyState } from "./EmptyState";
import { HelpCard } from "./HelpCard";
import { ModelChip } from "./ModelChip";
import { OpenThreadRing } from "./OpenThreadRing";
import type { PageAccess } from "./pageAccess";
import type { PanelView } from "./panelView";
import { Rail } from "./Rail";
import { StatusNotice } from "./StatusNotice";
import type { Suggest } from "./suggestions";
import type { ThreadContexts } from "./threadContexts";
import { useAsked } from "./useAsked";
import { useCommands } from "./useCommands";
import { useCompletions } from "./useCompletions";
import { useRejoining } from "./useRejoining";
import { useRestoring } from "./useRestoring";
import type { StatusState } from "./useStatus";
import { useUnopened } from "./useUnopened";
import { ViewOverConversation } from "./ViewOverConversation";

interface Props {
  api: AssistantApi;
  pageAccess: PageAccess;
  contexts: ThreadContexts;
  status: StatusState;
  /** A thread was open before the page was reloaded. */
  returning: boolean;
  focusRequest: number;
  /** What the person asks about from outside the panel. */
  asked: Store<string | undefined>;
  view: PanelView | undefined;
  onView(view: PanelView | undefined): void;
  onSettingsSaved(): void;
}

/** The panel at work: the rail, the open thread, its composer, and what may lie over them. */
export function Conversation({
  api,
  pageAccess,
  contexts,
  status,
  returning,
  focusRequest,
  asked,
  view,
  onView,
  onSettingsSaved,
}: Props) {
  const root = useRef<HTMLDivElement>(null);
  useKeptFocus(root);
  useAsked(asked);
  const { failures, lacks, suggest } = pageAccess;
  const file = useStore(pageAccess.openFile);
  useRejoining();
  const isBusy = useTurnIsRunning();
  const commands = useCommands(api, contexts, onView, onSettingsSaved);
  useUnopened(commands.setNotice);
  const completions = useCompletions(api);
  const files = useAttachments(commands.setNotice);
  const { isDropping, dropping } = useFileDrop(({ files: dropped }) => files.add([...dropped]));
  const [typedSettings, setTypedSettings] = useState<TypedFields>({});
  const settings = {
    api,
    typed: typedSettings,
    onTyped: setTypedSettings,
    onChanged: onSettingsSaved,
  };
  const { empty, isForm } = useEmptyThread(status, returning, suggest, settings, commands.backToChat);
  const chat = useChatEnvironment();
  const environment = useMemo(() => (isForm ? { ...chat, openSettings: undefined } : chat), [chat, isForm]);
  return (
    // A click beside everything in it must not leave the keys to the workflow.
    <PanelRoot ref={root} tabIndex={-1}>
      <Rail
        open={view?.kind}
        onNewChat={() => commands.newChat()}
        onToggle={(next) => onView(view?.kind === next.kind ? undefined : next)}
      />
      <div className="cass-main" data-dropping={isDropping || undefined} {...dropping}>
        <ChatProvider value={environment}>
          <Thread
            onEscape={commands.dismiss}
            empty={empty}
            note={commands.isHelpOpen && <HelpCard onClose={commands.closeHelp} />}
            composer={
              <Composer
                placeholder="Ask for a change, or type / for commands"
                notice={commands.notice}
                onNotice={commands.setNotice}
                completions={completions}
                onSubmit={commands.submit}
                files={files}
                focusRequest={focusRequest + commands.focusRequests}
                above={
                  <>
                    {status.kind === "ready" && <StatusNotice notes={status.notes} />}
                    <FailureNotice failures={failures} isBusy={isBusy} />
                    {file !== undefined && !isBusy && <OfferedChat file={file} />}
                    {status.kind === "ready" && status.model.state !== "needs-setup" && (
                      <OfferedHelp lacks={lacks} isBusy={isBusy} />
                    )}
                  </>
                }
              >
                <OpenThreadRing
                  contexts={contexts}
                  onOpen={() => onView({ kind: "context", page: "window" })}
                />
                <ApprovalModeButton />
                <ModelChip status={status} onOpen={(kind) => onView({ kind })} />
              </Composer>
            }
          />
        </ChatProvider>
        {view && (
          <ViewOverConversation
            view={view}
            settings={settings}
            api={api}
            contexts={contexts}
            file={file}
            page={pageAccess.runPage}
            onView={onView}
            perform={commands.perform}
            onClose={commands.backToChat}
          />
        )}
      </div>
    </PanelRoot>
  );
}

function OfferedHelp({ lacks, isBusy }: { lacks: Store<HelpLine | undefined>; isBusy: boolean }) {
  const aui = useAui();
  const Line = useStore(lacks);
  return Line && <Line isBusy={isBusy} send={(message) => aui.thread.append(message)} />;
}

/**
 * In place of messages: nothing while a thread or who answers is on its way, the form of a first model, or what can be
 * said; and whether that form is there.
 */
function useEmptyThread(
  status: StatusState,
  returning: boolean,
  suggest: Suggest,
  { onChanged, ...settings }: ComponentProps<typeof ProvidersPage>,
  onDone: () => void,
): { empty: ReactNode; isForm: boolean } {
  const restoring = useRestoring(returning);
  const [isPostponed, setPostponed] = useState(false);
  const isUnused = useAuiState(({ thread }) => thread.messages.length === 0);
  const model = status.kind === "ready" ? status.model : undefined;
  const onSaved = () => {
    onChanged();
    onDone();
  };
  if (restoring || status.kind === "loading") return { empty: null, isForm: false };
  if (model?.state !== "needs-setup" || isPostponed) {
    const firstRun = status.kind === "ready" && status.firstRun;
    const empty = (
      <EmptyState
        model={model}
        suggest={suggest}
        firstRun={firstRun && { api: settings.api, onOver: onChanged }}
      />
    );
    return { empty, isForm: false };
  }
  const empty = (
    <Onboarding onClose={() => setPostponed(true)}>
      <ProviderForm {...settings} onSaved={onSaved} />
    </Onboarding>
  );
  return { empty, isForm: isUnused };
}
