import type { Submission } from "../chat/composer/Composer";
import { slashCommands } from "../slash/commands";
import { parseSlash } from "../slash/parseSlash";
import { closest } from "../tools/values/closest";
import type { PanelView } from "./panelView";
import type { ThreadAction } from "./threadActions";

export interface CommandEffects {
  showHelp(): void;
  /** Opens a new chat with a text in its composer, and returns the text that this composer keeps. */
  newChat(text: string): string;
  show(view: PanelView): void;
  /** `typed` goes back into the composer where the action fails. */
  perform(action: ThreadAction, typed: string): void;
}

const done: Submission = { kind: "done", text: "" };
const keep = (hint: string): Submission => ({ kind: "keep", hint });

const takesName = (command: string) => ["skill", "persona", "model", "provider"].includes(command);

/**
 * What becomes of a text on Enter. Commands that only concern the panel end here; everything else goes to the server
 * as plain text, `/skill` included.
 */
export function submissionOf(text: string, effects: CommandEffects): Submission {
  const show = (view: PanelView) => {
    effects.show(view);
    return done;
  };
  const perform = (action: ThreadAction) => {
    effects.perform(action, text);
    return done;
  };
  const input = parseSlash(text);
  if (input.kind === "message") return { kind: "send" };
  if (input.kind === "unknown") {
    const [near] = closest(
      input.name,
      slashCommands.map(({ name }) => name),
    );
    const instead = near === undefined ? "" : ` Did you mean /${near}?`;
    return keep(
      `There is no command /${input.name}.${instead} /help lists them. To send it as text, begin with another character.`,
    );
  }
  const { name } = input;
  // Where a name is expected, "list" asks for those that there are.
  const argument = takesName(name) && /^list$/i.test(input.argument) ? "" : input.argument;
  switch (name) {
    case "help":
      effects.showHelp();
      return done;
    case "new":
      return { kind: "done", text: effects.newChat(argument) };
    case "skill":
      return argument ? { kind: "send" } : show({ kind: "skills" });
    case "skills":
      return show({ kind: "skills" });
    case "context":
      if (argument === "") return show({ kind: "context", page: "window" });
      if (argument.toLowerCase() === "clear") return perform({ kind: "clear" });
      return keep(`Use /context or /context clear.`);
    case "compact":
      return perform({ kind: "compact", focus: argument });
    case "pin":
      return argument ? perform({ kind: "pin", text: argument }) : keep("Write the rule or goal after /pin.");
    case "goals":
      return show({ kind: "context", page: "goals" });
    case "you":
      return show({ kind: "you" });
    case "persona":
      return argument ? perform({ kind: "persona", name: argument }) : show({ kind: "you", part: "persona" });
    case "provider":
    case "model":
      return argument
        ? perform({ kind: "answerer", wanted: { [name]: /^default$/i.test(argument) ? "" : argument } })
        : show({ kind: "models" });
    case "history":
      return show({ kind: "chats", query: argument });
    case "trace":
      return show({ kind: "context", page: "tasks" });
    case "costs":
    case "memory":
    case "files":
    case "settings":
      return show({ kind: name });
    case "config": {
      if (argument === "") return show({ kind: "context", page: "options" });
      const [, setting = argument, value] = /^(\S+)\s+([\s\S]+)$/.exec(argument) ?? [];
      return value === undefined
        ? keep(`Write a value after ${setting}, or /config alone for the list.`)
        : perform({ kind: "configure", name: setting, value });
    }
  }
}
