import { commandNamed, type SlashCommandName } from "./commands";

export type SlashInput =
  /** Not a command: goes to the server as it is. */
  | { kind: "message" }
  | { kind: "command"; name: SlashCommandName; argument: string }
  | { kind: "unknown"; name: string };

/**
 * What a text in the composer asks for.
 *
 * Only a first word of letters and hyphens counts as a command, so that a path such as `/home/me/wf.json` stays text.
 */
export function parseSlash(text: string): SlashInput {
  const match = /^\/([a-z][a-z-]*)(?:\s+([\s\S]*))?$/i.exec(text.trim());
  if (!match) return { kind: "message" };
  const [, word = "", argument = ""] = match;
  const command = commandNamed(word.toLowerCase());
  return command
    ? { kind: "command", name: command.name, argument: argument.trim() }
    : { kind: "unknown", name: word };
}
