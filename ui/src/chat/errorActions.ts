import type { ErrorDetails } from "../api/errors";

export interface ErrorActions {
  settings: boolean;
  newChat: boolean;
}

/** The buttons that carry out what an error's hint says, so that words and buttons never disagree. */
export function errorActions({ hint = "" }: ErrorDetails): ErrorActions {
  return {
    settings: /\bsettings\b|choose (?:a|another) (?:\w+ )?model/i.test(hint),
    newChat: /\bnew chat\b/i.test(hint),
  };
}
