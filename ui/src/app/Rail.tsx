import { useAuiState } from "@assistant-ui/react";
import { IconButton } from "../ui/IconButton";
import { ChatsIcon, PersonIcon, PlusIcon, SettingsIcon } from "../ui/icons";
import type { PanelView } from "./panelView";

interface Props {
  open: PanelView["kind"] | undefined;
  onNewChat(): void;
  onToggle(view: PanelView): void;
}

/** The narrow strip at the side: in a wide and short panel, width is what there is to spend. */
export function Rail({ open, onNewChat, onToggle }: Props) {
  const fresh = useAuiState(({ thread }) => thread.messages.length === 0);
  return (
    <nav className="cass-rail" aria-label="Assistant">
      <IconButton label="New chat" disabled={fresh && open === undefined} onClick={onNewChat}>
        <PlusIcon />
      </IconButton>
      <IconButton
        label="Chats"
        aria-expanded={open === "chats"}
        onClick={() => onToggle({ kind: "chats", query: "" })}
      >
        <ChatsIcon />
      </IconButton>
      <span className="cass-rail-space" />
      <IconButton label="You" aria-expanded={open === "you"} onClick={() => onToggle({ kind: "you" })}>
        <PersonIcon />
      </IconButton>
      <IconButton
        label="Settings"
        aria-expanded={open === "settings"}
        onClick={() => onToggle({ kind: "settings" })}
      >
        <SettingsIcon />
      </IconButton>
    </nav>
  );
}
