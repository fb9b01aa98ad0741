/** What a person said of themselves in the first run, as rules and preferences. */

import type { Entry, Kind, You, YouApi } from "./youApi";

export interface Answers {
  language: string;
  tone: string;
  makes: readonly string[];
  experience: string;
}

export const nothingSaid: Answers = { language: "", tone: "", makes: [], experience: "" };

/** By what stands on its button. */
export const tones: Record<string, string> = {
  "Short and plain": "Answer in few words, without praise or small talk.",
  "Warm and patient": "Be warm and patient, and encourage me.",
  "With the reasons": "Say why you do what you do, and what I could learn from it.",
};

export const things = ["Photos", "Illustrations", "Characters", "Video", "Products", "Upscaling"];

export const experiences: Record<string, string> = {
  "New to it": "new to it; explain its terms",
  "I know my way": "knows the usual nodes; explain what is unusual",
  "I build my own": "expert; skip explanations",
};

export interface Told {
  kind: Kind;
  text: string;
  value: string;
}

/** Only what was answered. */
export function toldBy({ language, tone, makes, experience }: Answers): Told[] {
  const rule = (text: string): Told => ({ kind: "rules", text, value: "" });
  const preference = (text: string, value: string): Told => ({ kind: "preferences", text, value });
  return [
    ...(language.trim() ? [rule(`Always answer in ${language.trim()}.`)] : []),
    ...(tones[tone] ? [rule(tones[tone])] : []),
    ...(makes.length > 0 ? [preference("what I make", makes.join(", ").toLowerCase())] : []),
    ...(experiences[experience] ? [preference("experience with ComfyUI", experiences[experience])] : []),
  ];
}

/** Adds it to what is there, and takes the place of nothing. */
export async function tell(api: YouApi, answers: Answers) {
  const you = await api.all();
  const isThere = ({ kind, text }: Told) => entriesOf(you, kind).some((entry) => entry.text === text);
  for (const told of toldBy(answers).filter((each) => !isThere(each)))
    await api.add(told.kind, told.text, told.value);
}

const entriesOf = (you: You, kind: Kind): readonly Entry[] => you[kind];
