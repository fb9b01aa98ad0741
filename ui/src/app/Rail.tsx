import { useAuiState } from "@assistant-ui/react";
import { IconButton } from "../shared/IconButton";
import { HistoryIcon, PlusIcon, SettingsIcon } from "../shared/icons";

interface Props {
  historyOpen: boolean;
  settingsOpen: boolean;
  onNewChat(): void;
  onToggleHistory(): void;
  onToggleSettings(): void;
}

/** The narrow strip at the side: in a wide and short panel, width is what there is to spend. */
export function Rail({ historyOpen, settingsOpen, onNewChat, onToggleHistory, onToggleSettings }: Props) {
  const fresh = useAuiState(({ thread }) => thread.messages.length === 0);
  return (
    <nav className="cass-rail" aria-label="Assistant">
      <IconButton label="New chat" disabled={fresh && !historyOpen && !settingsOpen} onClick={onNewChat}>
        <PlusIcon />
      </IconButton>
      <IconButton label="Chats" aria-expanded={historyOpen} onClick={onToggleHistory}>
        <HistoryIcon />
      </IconButton>
      <span className="cass-rail-space" />
      <IconButton label="Settings" aria-expanded={settingsOpen} onClick={onToggleSettings}>
        <SettingsIcon />
      </IconButton>
    </nav>
  );
}
