import type { ContextPage } from "../context/pages";

/** What lies over the conversation. */
export type PanelView =
  | { kind: "settings" }
  /** The menu of providers and models. */
  | { kind: "models" }
  | { kind: "you" }
  | { kind: "skills" }
  | { kind: "costs" }
  | { kind: "chats"; query: string }
  | { kind: "context"; page: ContextPage };
