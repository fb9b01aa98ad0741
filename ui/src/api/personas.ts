/** The personas that there are, and the one of a chat. */

import { z } from "zod";
import { type Client, threadRoute } from "./client";
import { flawAmongOthers } from "./flaws";

const persona = z.object({ slug: z.string(), name: z.string(), description: z.string() });
const personasReply = z.object({ personas: z.array(persona), diagnostics: z.array(flawAmongOthers) });
const textReply = z.object({ text: z.string() });
const chosenReply = z.object({ chosen: z.string(), persona: persona.nullable() });

export type Personas = z.infer<typeof personasReply>;
/** `chosen` without a persona: its folder is gone. */
export type ChosenPersona = z.infer<typeof chosenReply>;

export function readPersonas({ read, send }: Client): Promise<Personas> {
  return read(personasReply, send("GET", "/assistant/personas"));
}

/** With a name ("" for none) as it is from now on. */
export function personaOf({ read, send }: Client, threadId: string, name?: string): Promise<ChosenPersona> {
  const route = threadRoute(threadId, "persona");
  return read(chosenReply, name === undefined ? send("GET", route) : send("PUT", route, { name }));
}

/** The whole file of one. */
export async function personaText({ read, send }: Client, slug: string): Promise<string> {
  return (await read(textReply, send("GET", routeOf(slug)))).text;
}

/** "" deletes it. `seen` is what the text shall replace, "" for one that is new. */
export async function writePersona(
  { read, send }: Client,
  slug: string,
  text: string,
  seen: string,
): Promise<string> {
  return (await read(textReply, send("PUT", routeOf(slug), { text, seen }))).text;
}

function routeOf(slug: string): string {
  return `/assistant/personas/${encodeURIComponent(slug)}`;
}
