/** The commands of the composer, in the order in which they are offered. */
export const slashCommands = [
  { name: "help", argument: "", description: "Commands and keys" },
  { name: "new", argument: "", description: "Start a new chat" },
  { name: "skill", argument: "<name>", description: "Have the assistant follow a skill" },
] as const;

export type SlashCommand = (typeof slashCommands)[number];
export type SlashCommandName = SlashCommand["name"];

export function commandNamed(name: string): SlashCommand | undefined {
  return slashCommands.find((command) => command.name === name);
}

export const keys = [
  { keys: "Enter", description: "Send" },
  { keys: "Shift+Enter", description: "New line" },
  { keys: "Escape", description: "Stop the running turn" },
  { keys: "Alt+A", description: "Open the assistant from anywhere in ComfyUI" },
] as const;
