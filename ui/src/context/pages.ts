/** The pages of the context view, in the order of their tabs. */
export const contextPages = [
  { name: "window", label: "Window" },
  { name: "sent", label: "What was sent" },
  { name: "condensed", label: "Summarized" },
  { name: "goals", label: "Goals" },
  { name: "tasks", label: "Tasks" },
  { name: "options", label: "Options" },
] as const;

export type ContextPage = (typeof contextPages)[number]["name"];
