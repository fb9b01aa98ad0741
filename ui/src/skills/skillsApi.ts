import { z } from "zod";
import type { AssistantApi } from "../api/assistantApi";
import { flawAmongOthers } from "../api/flaws";

const listed = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  source: z.string(),
  place: z.enum(["own", "elsewhere", "package", "built-in"]),
  state: z.enum(["on", "off", "new"]),
  isUsed: z.boolean(),
  tokens: z.number(),
  from: z.string().default(""),
});
const change = z.object({
  id: z.string(),
  what: z.enum(["created", "changed", "deleted"]),
  slug: z.string(),
  at: z.number(),
});
const listing = z.object({
  skills: z.array(listed),
  diagnostics: z.array(flawAmongOthers),
  changes: z.array(change),
});
const whole = listed.extend({
  text: z.string(),
  version: z.string(),
  contents: z.string(),
  files: z.array(z.object({ path: z.string(), text: z.string().optional(), problem: z.string().optional() })),
  moreFiles: z.number(),
});
const changed = z.object({ change: change.optional() });
const taken = z.object({
  changes: z.array(change),
  leftOut: z.array(z.object({ path: z.string(), problem: z.string() })),
});

export type Listing = z.output<typeof listing>;
export type ListedSkill = z.output<typeof listed>;
export type WholeSkill = z.output<typeof whole>;
export type SkillChange = z.output<typeof change>;
export type Taken = z.output<typeof taken>;

/** Which of the skills of one name. */
export type SkillPlace = Pick<ListedSkill, "slug" | "place">;

/** A zip that is taken in, in base64. */
export interface Parcel {
  name: string;
  zip: string;
}

const own = "/user-context/skills";

/** The skills, as the server keeps them. */
export function createSkillsApi({ send }: Pick<AssistantApi, "send">) {
  const json = async (reply: Promise<Response>): Promise<unknown> => (await reply).json();
  const at = (slug: string) => `${own}/${encodeURIComponent(slug)}`;
  const kept = ({ slug, place }: SkillPlace, what = "") =>
    `/assistant/skills/${encodeURIComponent(slug)}${what}?place=${place}`;
  const change = async (reply: Promise<Response>) => changed.parse(await json(reply)).change;
  return {
    all: async (): Promise<Listing> => listing.parse(await json(send("GET", "/assistant/skills"))),
    read: async (of: SkillPlace): Promise<WholeSkill> => whole.parse(await json(send("GET", kept(of)))),
    create: (slug: string, text: string) => change(send("POST", own, { slug, text })),
    /** `seen` is the version whose place the text takes. */
    write: (slug: string, text: string, seen: string) => change(send("PATCH", at(slug), { text, seen })),
    turn: ({ slug, place }: SkillPlace, isOn: boolean) => change(send("PATCH", at(slug), { place, isOn })),
    accept: (slug: string, accepted: string) => change(send("PATCH", at(slug), { accepted })),
    remove: (slug: string, seen: string) => change(send("DELETE", at(slug), { seen })),
    undo: (id: string) => change(send("POST", `/user-context/skill-changes/${encodeURIComponent(id)}`, {})),
    takeIn: async (parcel: Parcel): Promise<Taken> =>
      taken.parse(await json(send("POST", "/user-context/skill-imports", parcel))),
    pack: async (of: SkillPlace) => (await send("GET", kept(of, "/export"))).blob(),
  };
}

export type SkillsApi = ReturnType<typeof createSkillsApi>;

/** Makes a change and shows what came of it; whether it was made. */
export type ChangeSkill = (work: () => Promise<SkillChange | undefined>) => Promise<boolean>;
