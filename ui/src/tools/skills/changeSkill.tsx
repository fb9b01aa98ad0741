/** A skill of the person's own: written only after a yes to what differs, and kept so that it can be undone. */

import { z } from "zod";
import { type Ask, askFor } from "../missing/ask";
import type { ToolContext, ToolResult } from "../tool";
import { declined, ToolError } from "../toolError";
import { type DiffLine, diffText, lineDiff } from "./lineDiff";

const skill = z.object({ text: z.string(), version: z.string(), place: z.string(), state: z.string() });
type Skill = z.output<typeof skill>;
const changed = z.object({ change: z.object({ id: z.string() }) });
const list = z.object({ skills: z.array(z.object({ slug: z.string() })) });
const route = "/user-context/skills";
const skillsRoute = "/assistant/skills";
/** Of what the model is told again. */
const mostLines = 60;

export interface SkillArguments {
  slug: string;
  text?: string | undefined;
  remove?: boolean | undefined;
}

export async function changeSkill(
  { slug, text, remove }: SkillArguments,
  context: ToolContext,
): Promise<ToolResult<{ slug: string; diff?: string }>> {
  const { ask } = context;
  if (!ask) throw new ToolError("There is no server that keeps skills.");
  const present = await presentSkill(ask, slug);
  const own = present && ["own", "elsewhere"].includes(present.place) ? present : undefined;
  if (own && ["new", "changed"].includes(own.state))
    throw new ToolError(`"${slug}" is from elsewhere, and the user has not accepted it: /skills.`);
  if (remove ? !own : text === undefined)
    throw new ToolError(
      remove ? `The user has no skill "${slug}" of their own.` : "text is missing: the whole SKILL.md.",
      remove ? "listUserSkills shows all." : "To delete a skill, set remove.",
    );
  const after = remove ? "" : `${text?.trimEnd()}\n`;
  if (own?.text === after) throw new ToolError(`"${slug}" is written so already; nothing was changed.`);
  const lines = lineDiff(own?.text ?? "", after);
  const verb = remove ? "Delete" : own ? "Change" : "Write";
  const yes = await context.confirm({
    title: `${verb} your skill "${slug}"?`,
    ...(present && !own && { detail: "It takes the place of the one that there is." }),
    always: true,
    allow: remove ? "Delete" : "Save",
    body: <SkillDiff lines={lines} />,
  });
  if (!yes) return declined("changing the skill.");
  const at = `${route}/${encodeURIComponent(slug)}`;
  const seen = own?.version;
  await askFor(
    changed,
    remove
      ? ask("DELETE", at, { seen })
      : own
        ? ask("PATCH", at, { text: after, seen })
        : ask("POST", route, { slug, text: after }),
  );
  const done = remove ? "Deleted" : own ? "Changed" : "Wrote";
  const told = lines.slice(0, mostLines);
  const more = lines.length - told.length;
  return {
    ok: true,
    summary: `${done} the user's skill "${slug}". /skills undoes it.`,
    data: {
      slug,
      ...(own && !remove && { diff: diffText(told) + (more > 0 ? `\n… ${more} more lines` : "") }),
    },
  };
}

/** Looked for in the list first: a browser tells of each address that is not there. */
async function presentSkill(ask: Ask, slug: string): Promise<Skill | undefined> {
  const { skills } = await askFor(list, ask("GET", skillsRoute));
  if (!skills.some((each) => each.slug === slug)) return undefined;
  return askFor(skill, ask("GET", `${skillsRoute}/${encodeURIComponent(slug)}`));
}

function SkillDiff({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <pre className="cass-plain-text cass-diff">
      {lines.map(({ sign, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are told once
        <span key={index} data-sign={sign}>
          {`${sign} ${text}\n`}
        </span>
      ))}
    </pre>
  );
}
