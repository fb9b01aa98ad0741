import { type SlashCommandName, slashCommands } from "./commands";

export interface Completion {
  id: string;
  label: string;
  description: string;
  /** What the composer holds once this is chosen. */
  text: string;
  /** Chosen with Enter, it is carried out at once. */
  submits: boolean;
}

export interface NamedSkill {
  slug: string;
  description: string;
}

const TAKES_ARGUMENT: ReadonlySet<SlashCommandName> = new Set(["skill"]);

/** What could complete the text; empty when it is not the beginning of a command. */
export function completionsFor(text: string, skills: readonly NamedSkill[]): Completion[] {
  const skill = /^\/skill\s+(\S*)$/i.exec(text)?.[1];
  if (skill !== undefined) return skillCompletions(skill.toLowerCase(), skills);
  const command = /^\/([a-z-]*)$/i.exec(text)?.[1];
  if (command === undefined) return [];
  return slashCommands
    .filter(({ name }) => name.startsWith(command.toLowerCase()))
    .map(({ name, argument, description }) => ({
      id: name,
      label: argument ? `/${name} ${argument}` : `/${name}`,
      description,
      text: TAKES_ARGUMENT.has(name) ? `/${name} ` : `/${name}`,
      submits: !TAKES_ARGUMENT.has(name),
    }));
}

/** Names that begin with what was typed come before names that only contain it. */
function skillCompletions(typed: string, skills: readonly NamedSkill[]): Completion[] {
  const matching = skills.filter(({ slug }) => slug.includes(typed));
  const exact = matching.length === 1 && matching[0]?.slug === typed;
  if (exact) return [];
  return [
    ...matching.filter(({ slug }) => slug.startsWith(typed)),
    ...matching.filter(({ slug }) => !slug.startsWith(typed)),
  ].map(({ slug, description }) => ({
    id: slug,
    label: slug,
    description,
    text: `/skill ${slug} `,
    submits: false,
  }));
}
