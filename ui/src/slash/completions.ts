import { commandNamed, type SlashCommand, type SlashCommandName, slashCommands } from "./commands";

export interface Completion {
  id: string;
  label: string;
  description: string;
  /** What the composer holds once this is chosen. */
  text: string;
  /** Chosen with Enter, it is carried out at once. */
  submits: boolean;
}

/** What can stand after a command. */
export interface Choice {
  name: string;
  /** What people may call it, too. */
  title?: string;
  description: string;
  /** Whether the command is complete with it. */
  isComplete?: boolean;
  /** It cannot be chosen, and says why: the command alone shows more. */
  isDead?: boolean;
}

export type Choices = Partial<Record<SlashCommandName, readonly Choice[]>>;

/** What could complete the text; empty when it is not the beginning of a command. */
export function completionsFor(text: string, choices: Choices): Completion[] {
  const word = /^\/([a-z-]*)$/i.exec(text)?.[1]?.toLowerCase();
  if (word !== undefined)
    return slashCommands.filter(({ name }) => name.startsWith(word)).map(commandCompletion);
  const [, command = "", typed = ""] = /^\/([a-z-]+)\s+(.*)$/i.exec(text) ?? [];
  const known = commandNamed(command.toLowerCase());
  return known ? choiceCompletions(known.name, typed.toLowerCase(), choices[known.name] ?? []) : [];
}

function commandCompletion({ name, argument, description }: SlashCommand): Completion {
  const needsArgument = argument.startsWith("<");
  return {
    id: name,
    label: argument ? `/${name} ${argument}` : `/${name}`,
    description,
    text: needsArgument ? `/${name} ` : `/${name}`,
    submits: !needsArgument,
  };
}

/** Names that begin with what was typed come before names that only contain it. */
function choiceCompletions(command: string, typed: string, choices: readonly Choice[]): Completion[] {
  const said = typed.replaceAll(" ", "-");
  const fits = ({ name, title = "" }: Choice, how: "startsWith" | "includes") =>
    [name, title].some((each) => [typed, said].some((words) => each.toLowerCase()[how](words)));
  const matching = choices.filter((choice) => fits(choice, "includes"));
  if (matching.length === 1 && matching[0]?.name === typed) return [];
  const begins = (choice: Choice) => Number(fits(choice, "startsWith"));
  return matching
    .sort((one, other) => begins(other) - begins(one))
    .map(({ name, description, isComplete = false, isDead = false }) => ({
      id: name,
      label: name,
      description,
      text: isDead ? `/${command}` : `/${command} ${name}${isComplete ? "" : " "}`,
      submits: isComplete || isDead,
    }));
}
