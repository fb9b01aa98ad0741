import { useAui, useAuiState } from "@assistant-ui/react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import type { ErrorDetails } from "../api/errors";
import { ApprovalModeButton } from "../chat/ApprovalModeButton";
import { Composer } from "../chat/Composer";
import { useChatEnvironment } from "../chat/chatContext";
import type { ComposerNotice } from "../chat/composerNotice";
import { UNSENT_THREAD } from "../chat/drafts";
import { markdownPart } from "../chat/markdown/LazyMarkdown";
import { Thread } from "../chat/Thread";
import { useAttachments } from "../chat/useAttachments";
import { useFailedSend } from "../chat/useFailedSend";
import { useTurnIsRunning } from "../chat/useTurn";
import { Onboarding } from "../onboarding/Onboarding";
import type { TypedFields } from "../settings/useProviderForm";
import { LazyView } from "../shared/LazyView";
import { useKeptFocus } from "../shared/useKeptFocus";
import { completionsFor } from "../slash/completions";
import { useChoices } from "../slash/useChoices";
import { EmptyState } from "./EmptyState";
import { HelpCard } from "./HelpCard";
import { providerForm } from "./lazyViews";
import { ModelChip } from "./ModelChip";
import { OpenThreadRing } from "./OpenThreadRing";
import type { PanelView } from "./panelView";
import { Rail } from "./Rail";
import { submissionOf } from "./submission";
import type { ThreadContexts } from "./threadContexts";
import { useFileDrop } from "./useFileDrop";
import { useRestoring } from "./useRestoring";
import type { StatusState } from "./useStatus";
import { useThreadActions } from "./useThreadActions";
import { ViewOverConversation } from "./ViewOverConversation";

interface Props {
  api: AssistantApi;
  /** The offer to repair a failed run. */
  repair(isBusy: boolean): ReactNode;
  contexts: ThreadContexts;
  status: StatusState;
  /** A thread was open before the page was reloaded. */
  returning: boolean;
  focusRequest: number;
  view: PanelView | undefined;
  onView(view: PanelView | undefined): void;
  onSettingsSaved(): void;
}

/** The panel at work: the rail, the open thread, its composer, and what may lie over them. */
export function Conversation({
  api,
  repair,
  contexts,
  status,
  returning,
  focusRequest,
  view,
  onView,
  onSettingsSaved,
}: Props) {
  const aui = useAui();
  const root = useRef<HTMLDivElement>(null);
  useKeptFocus(root);
  const isBusy = useTurnIsRunning();
  const { drafts } = useChatEnvironment();
  const [helpOpen, setHelpOpen] = useState(false);
  const [setupPostponed, setSetupPostponed] = useState(false);
  const [typedSettings, setTypedSettings] = useState<TypedFields>({});
  const [notice, setNotice] = useState<ComposerNotice>();
  const [refocus, setRefocus] = useState(0);
  const typed = useAuiState(({ thread }) =>
    thread.composer.text.startsWith("/") ? thread.composer.text : "",
  );
  const choices = useChoices(api, typed);
  const perform = useThreadActions(api.context, contexts, setNotice);
  useFailedSend(useCallback((details: ErrorDetails) => setNotice({ kind: "error", details }), []));

  const files = useAttachments(setNotice);
  const { isDropping, dropping } = useFileDrop(files.add);

  useEffect(() => markdownPart.load(), []);

  const restoring = useRestoring(returning);
  const model = status.kind === "ready" ? status.model : undefined;
  const needsSetup = model?.state === "needs-setup" && !setupPostponed;

  function newChat(text = ""): string {
    const isNew = aui.threadListItem.getState().remoteId === undefined;
    backToChat();
    if (isNew) return text;
    if (text) drafts.write(UNSENT_THREAD, text);
    aui.threads.switchToNewThread();
    return "";
  }
  function backToChat() {
    onView(undefined);
    setHelpOpen(false);
    setNotice(undefined);
    setRefocus((previous) => previous + 1);
  }
  function saved() {
    onSettingsSaved();
    backToChat();
  }

  const settings = { api, typed: typedSettings, onTyped: setTypedSettings, onSaved: saved };

  return (
    <div className="cass-root" ref={root}>
      <Rail
        open={view?.kind}
        onNewChat={() => newChat()}
        onToggle={(next) => onView(view?.kind === next.kind ? undefined : next)}
      />
      <div className="cass-main" data-dropping={isDropping || undefined} {...dropping}>
        <Thread
          onEscape={() => {
            setHelpOpen(false);
            setNotice(undefined);
          }}
          empty={
            restoring ? null : needsSetup ? (
              <Onboarding onClose={() => setSetupPostponed(true)}>
                <LazyView name="The settings" view={providerForm} props={settings} />
              </Onboarding>
            ) : (
              <EmptyState model={model} />
            )
          }
          note={helpOpen && <HelpCard onClose={() => setHelpOpen(false)} />}
          composer={
            <Composer
              placeholder="Ask for a change, or type / for commands"
              notice={notice}
              onNotice={setNotice}
              completions={(text) => completionsFor(text, choices)}
              onSubmit={(text) => {
                setNotice(undefined);
                setHelpOpen(false);
                return submissionOf(text, {
                  showHelp: () => setHelpOpen(true),
                  newChat,
                  show: onView,
                  perform,
                });
              }}
              files={files}
              focusRequest={focusRequest + refocus}
              above={repair(isBusy)}
            >
              <OpenThreadRing
                contexts={contexts}
                onOpen={() => onView({ kind: "context", page: "window" })}
              />
              <ApprovalModeButton />
              <ModelChip status={status} onOpen={() => onView({ kind: "settings" })} />
            </Composer>
          }
        />
        {view && (
          <ViewOverConversation
            view={view}
            settings={settings}
            api={api}
            contexts={contexts}
            onView={onView}
            perform={perform}
            onClose={backToChat}
          />
        )}
      </div>
    </div>
  );
}
