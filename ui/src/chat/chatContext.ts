import type { UIMessage } from "ai";
import { createContext, type ReactNode, useContext } from "react";
import type { KeyedStore } from "../shared/store";
import type { Drafts } from "./drafts";
import type { ThreadRecords } from "./threadRecords";
import type { TurnNotice } from "./turnNotice";

/** How a tool shows itself in the conversation. */
export interface ToolPresentation {
  label(args: Record<string, unknown>): string;
  render?(props: { args: Record<string, unknown>; result: unknown }): ReactNode;
}

/** What the conversation knows of turns beyond the answer that streams. */
export interface Turns {
  betweenSteps: KeyedStore<true>;
  stop(threadId: string | undefined, last: UIMessage | undefined): void;
}

/** What the conversation needs from the rest of the panel. */
export interface ChatEnvironment {
  presentTool(name: string): ToolPresentation;
  progress: KeyedStore<{ text: string; fraction?: number }>;
  notices: KeyedStore<TurnNotice>;
  records: ThreadRecords;
  turns: Turns;
  drafts: Drafts;
  openSettings(): void;
}

const ChatContext = createContext<ChatEnvironment | undefined>(undefined);
export const ChatProvider = ChatContext.Provider;

export function useChatEnvironment(): ChatEnvironment {
  const environment = useContext(ChatContext);
  if (!environment) throw new Error("A conversation was rendered outside ChatProvider.");
  return environment;
}
