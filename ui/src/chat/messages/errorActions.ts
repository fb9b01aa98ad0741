import type { ErrorDetails } from "../../api/errors";

export interface ErrorActions {
  /** Whether the same might work when it is tried again. */
  retry: boolean;
  settings: boolean;
  /** The menu of models, in which the settings are a click away. */
  models: boolean;
  newChat: boolean;
  freeMemory: boolean;
  /** Ends the turn that runs where this page does not see it, such as in another ComfyUI. */
  stop: boolean;
}

/** By the codes of `docs/api.md`: failures whose hint says to enter or choose something in the settings. */
const mendedInSettings: ReadonlySet<string> = new Set([
  ...["no_provider", "no_model", "not_a_model_server", "key_refused", "quota_exhausted"],
  ...["provider_unreachable", "provider_silent", "provider_refused", "context_too_small"],
  "model_out_of_memory",
]);

const mendedByAnotherModel: ReadonlySet<string> = new Set(["unknown_model", "no_tool_support"]);

const mendedByNewChat: ReadonlySet<string> = new Set(["context_overflow", "unknown_thread", "too_large"]);

/** Failures of what was entered or meant, and of a chat that is gone: tried again, it fails again. */
const failsAgain: ReadonlySet<string> = new Set(["not_found", "invalid_request", "unknown_thread"]);

/** The buttons that carry out what an error's hint says. */
export function errorActions({ code }: Pick<ErrorDetails, "code">): ErrorActions {
  return {
    retry: !failsAgain.has(code),
    settings: mendedInSettings.has(code),
    models: mendedByAnotherModel.has(code),
    newChat: mendedByNewChat.has(code),
    freeMemory: code === "model_out_of_memory",
    stop: code === "turn_running",
  };
}
