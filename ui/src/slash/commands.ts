/** The commands of the composer, in the order in which they are offered. */
export const slashCommands = [
  { name: "help", argument: "", description: "Commands and keys" },
  { name: "new", argument: "", description: "Start a new chat" },
  { name: "skill", argument: "<name>", description: "Have the assistant follow a skill" },
  { name: "skills", argument: "", description: "See, write and switch skills" },
  { name: "context", argument: "[clear]", description: "See what the model is sent, or clear it" },
  {
    name: "compact",
    argument: "[focus]",
    description: "Summarize older messages; optionally say what to keep",
  },
  { name: "pin", argument: "<text>", description: "Remind the model of a rule or goal in every turn" },
  { name: "goals", argument: "", description: "Pins of this chat, goals of all chats" },
  { name: "you", argument: "", description: "What the assistant is told of you: rules, goals, persona" },
  { name: "persona", argument: "[name]", description: "Who the assistant is in this chat" },
  { name: "model", argument: "[name]", description: "Which model answers in this chat" },
  { name: "provider", argument: "[name]", description: "Which of your providers answers in this chat" },
  { name: "history", argument: "[query]", description: "Search all chats" },
  { name: "files", argument: "", description: "Texts and PDF files that your chats know" },
  { name: "memory", argument: "", description: "Notes kept from long chats, and who may read them" },
  { name: "trace", argument: "", description: "Tasks that the assistant delegated" },
  { name: "costs", argument: "", description: "Tokens and money by day, model and chat; budgets" },
  { name: "config", argument: "[name value]", description: "Limits for context, steps and time" },
  { name: "settings", argument: "", description: "Models that answer, hosts of model files, all pages" },
] as const;

export type SlashCommand = (typeof slashCommands)[number];
export type SlashCommandName = SlashCommand["name"];

export function commandNamed(name: string): SlashCommand | undefined {
  return slashCommands.find((command) => command.name === name);
}

export const keys = [
  { keys: "Enter", description: "Send" },
  { keys: "Shift+Enter", description: "New line" },
  { keys: "Enter in a turn", description: "Send when the turn is over" },
  { keys: "Ctrl+Enter in a turn", description: "Stop the turn and send at once" },
  { keys: "↑ in the empty line", description: "Edit the newest message that waits" },
  { keys: "Escape", description: "Stop the running turn" },
  { keys: "Alt+A", description: "Open the assistant from anywhere in ComfyUI" },
] as const;
