import type { Submission } from "../chat/Composer";
import { slashCommands } from "../slash/commands";
import { parseSlash } from "../slash/parseSlash";

export interface CommandEffects {
  showHelp(): void;
  /** Opens a new chat with a text in its composer, and returns the text that this composer keeps. */
  newChat(text: string): string;
}

/**
 * What becomes of a text on Enter. Commands that only concern the panel end here; everything else goes to the server
 * as plain text, `/skill` included.
 */
export function submissionOf(text: string, effects: CommandEffects): Submission {
  const input = parseSlash(text);
  if (input.kind === "message") return { kind: "send" };
  if (input.kind === "unknown") {
    const known = slashCommands.map(({ name }) => `/${name}`).join(", ");
    return {
      kind: "keep",
      hint: `There is no command /${input.name}. There are ${known}. To send it as text, begin with another character.`,
    };
  }
  switch (input.name) {
    case "help":
      effects.showHelp();
      return { kind: "done", text: "" };
    case "new":
      return { kind: "done", text: effects.newChat(input.argument) };
    case "skill":
      return input.argument
        ? { kind: "send" }
        : { kind: "keep", hint: "Name the skill after /skill; the list above completes it." };
  }
}
