import type { ContextPage } from "../context/pages";

/** What lies over the conversation. */
export type PanelView =
  /** With a provider its own page, where something of it is to be mended. */
  | { kind: "settings"; provider?: string | undefined }
  /** The menu of providers and models. */
  | { kind: "models" }
  /** A part of it is scrolled to. */
  | { kind: "you"; part?: "persona" }
  | { kind: "skills" }
  | { kind: "costs" }
  | { kind: "memory" }
  | { kind: "files" }
  | { kind: "document"; number: number; near: string }
  | { kind: "chats"; query: string }
  | { kind: "context"; page: ContextPage };
