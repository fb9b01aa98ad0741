import { useEffect, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { readPersonas } from "../api/personas";
import type { Choice, Choices } from "./completions";

const contextChoices: readonly Choice[] = [
  { name: "clear", description: "Begin afresh from here; everything stays readable", isComplete: true },
];

/** What the commands in the composer can be completed with; asked for when somebody begins to type one. */
export function useChoices(api: AssistantApi, text: string): Choices {
  const command = /^\/(skill|config|persona)\b/i.exec(text)?.[1]?.toLowerCase();
  const skill = useAsked(command === "skill", api, skillChoices);
  const config = useAsked(command === "config", api, optionChoices);
  const persona = useAsked(command === "persona", api, personaChoices);
  return { skill, config, persona, context: contextChoices };
}

const skillChoices = async (api: AssistantApi): Promise<Choice[]> => {
  const { skills, diagnostics } = await api.context.skills();
  return [
    ...skills.map(({ slug, name, description }) => ({ name: slug, title: name, description })),
    ...diagnostics
      .filter(({ leavesOut }) => leavesOut)
      .map(({ path, problem }) => ({ name: path, description: problem, isDead: true })),
  ];
};

const personaChoices = async (api: AssistantApi): Promise<Choice[]> => [
  ...(await readPersonas(api.context.client)).personas.map(({ slug, name, description }) => ({
    name: slug,
    title: name,
    description,
    isComplete: true,
  })),
  { name: "none", description: "Your own persona, if any", isComplete: true },
];

const optionChoices = async (api: AssistantApi): Promise<Choice[]> =>
  (await api.context.options()).map(({ name, value, description }) => ({
    name,
    description: `${value ?? "automatic"} · ${description}`,
  }));

/** Asked again on each new beginning; without an answer nothing is offered. */
function useAsked(
  wanted: boolean,
  api: AssistantApi,
  ask: (api: AssistantApi) => Promise<Choice[]>,
): readonly Choice[] {
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  useEffect(() => {
    if (!wanted) return;
    let current = true;
    ask(api).then(
      (found) => current && setChoices(found),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [api, ask, wanted]);
  return choices;
}
