import { useAui, useAuiState } from "@assistant-ui/react";
import { useCallback, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import type { ErrorDetails } from "../api/errors";
import { Composer } from "../chat/Composer";
import { useChatEnvironment } from "../chat/chatContext";
import type { ComposerNotice } from "../chat/composerNotice";
import { UNSENT_THREAD } from "../chat/drafts";
import { History } from "../chat/History";
import { Thread } from "../chat/Thread";
import { useFailedSend } from "../chat/useFailedSend";
import { Onboarding } from "../onboarding/Onboarding";
import { ProviderForm } from "../settings/ProviderForm";
import { SettingsView } from "../settings/SettingsView";
import { completionsFor } from "../slash/completions";
import { useSkills } from "../slash/useSkills";
import { EmptyState } from "./EmptyState";
import { HelpCard } from "./HelpCard";
import { ModelChip } from "./ModelChip";
import { Rail } from "./Rail";
import { submissionOf } from "./submission";
import { useRestoring } from "./useRestoring";
import type { StatusState } from "./useStatus";

interface Props {
  api: AssistantApi;
  status: StatusState;
  /** A thread was open before the page was reloaded. */
  returning: boolean;
  focusRequest: number;
  settingsOpen: boolean;
  onSettingsOpen(open: boolean): void;
  onSettingsSaved(): void;
}

/** The panel at work: the rail, the open thread, its composer, and what may lie over them. */
export function Conversation({
  api,
  status,
  returning,
  focusRequest,
  settingsOpen,
  onSettingsOpen,
  onSettingsSaved,
}: Props) {
  const aui = useAui();
  const { drafts } = useChatEnvironment();
  const [historyOpen, setHistoryOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const [setupPostponed, setSetupPostponed] = useState(false);
  const [notice, setNotice] = useState<ComposerNotice>();
  const [refocus, setRefocus] = useState(0);
  const wantsSkill = useAuiState(({ thread }) => /^\/skill\b/i.test(thread.composer.text));
  const skills = useSkills(api, wantsSkill);
  useFailedSend(useCallback((details: ErrorDetails) => setNotice({ kind: "error", details }), []));

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
    setHistoryOpen(false);
    setHelpOpen(false);
    setNotice(undefined);
    onSettingsOpen(false);
    setRefocus((previous) => previous + 1);
  }
  function saved() {
    onSettingsSaved();
    backToChat();
  }

  return (
    <div className="cass-root">
      <Rail
        historyOpen={historyOpen}
        settingsOpen={settingsOpen}
        onNewChat={() => newChat()}
        onToggleHistory={() => {
          onSettingsOpen(false);
          setHistoryOpen(!historyOpen);
        }}
        onToggleSettings={() => {
          setHistoryOpen(false);
          onSettingsOpen(!settingsOpen);
        }}
      />
      <div className="cass-main">
        <Thread
          empty={
            restoring ? null : needsSetup ? (
              <Onboarding onClose={() => setSetupPostponed(true)}>
                <ProviderForm api={api} onSaved={saved} />
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
              completions={(text) => completionsFor(text, skills)}
              onSubmit={(text) => {
                const submission = submissionOf(text, { showHelp: () => setHelpOpen(true), newChat });
                if (submission.kind === "send") setHelpOpen(false);
                return submission;
              }}
              focusRequest={focusRequest + refocus}
            >
              <ModelChip status={status} onOpen={() => onSettingsOpen(true)} />
            </Composer>
          }
        />
        {historyOpen && (
          <>
            <button
              type="button"
              className="cass-backdrop"
              tabIndex={-1}
              aria-label="Close chats"
              onClick={backToChat}
            />
            <History onClose={backToChat} />
          </>
        )}
        {settingsOpen && (
          <SettingsView onClose={backToChat}>
            <ProviderForm api={api} onSaved={saved} />
          </SettingsView>
        )}
      </div>
    </div>
  );
}
