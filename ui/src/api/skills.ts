/** The skills that there are, and what is wrong with files among them. */

import { z } from "zod";
import type { Client } from "./client";
import { flawAmongOthers } from "./flaws";

const skillsReply = z.object({
  skills: z.array(
    z.object({ slug: z.string(), name: z.string(), description: z.string(), source: z.string().default("") }),
  ),
  /** What is wrong with files among them; one that `leavesOut` has no effect at all. */
  diagnostics: z.array(flawAmongOthers.extend({ name: z.string().default("") })).default([]),
});
export type Skills = z.infer<typeof skillsReply>;

/** The person's, then those of the assistant that have other slugs. */
export async function readSkills({ read, send }: Client): Promise<Skills> {
  const lists = await Promise.all(
    ["user", "system"].map((whose) => read(skillsReply, send("GET", `/${whose}-context/skills`))),
  );
  const slugs = new Set<string>();
  return {
    skills: lists.flatMap(({ skills }) => skills).filter(({ slug }) => !slugs.has(slug) && slugs.add(slug)),
    diagnostics: lists.flatMap(({ diagnostics }) => diagnostics),
  };
}
