import { useEffect, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { valueWords } from "../api/optionWords";
import { readPersonas } from "../api/personas";
import { modelChoices, providerChoices } from "./answererChoices";
import type { Choice, Choices } from "./completions";

const contextChoices: readonly Choice[] = [
  { name: "clear", description: "Begin afresh from here; everything stays readable", isComplete: true },
];

/** What the commands in the composer can be completed with; asked for when somebody begins to type one. */
export function useChoices(api: AssistantApi, text: string, threadId: string | undefined): Choices {
  const command = /^\/(skill|config|persona|provider|model)\b/i.exec(text)?.[1]?.toLowerCase();
  const skill = useAsked(command === "skill", api, skillChoices);
  const config = useAsked(command === "config", api, optionChoices);
  const persona = useAsked(command === "persona", api, personaChoices);
  const provider = useAsked(command === "provider", api, providerChoices);
  const model = useAsked(command === "model", api, modelChoices, threadId);
  return { skill, config, persona, provider, model, context: contextChoices };
}

const skillChoices = async (api: AssistantApi): Promise<Choice[]> => {
  const { skills, diagnostics } = await api.context.skills();
  return [
    ...skills.map(({ slug, name, description }) => ({ name: slug, title: name, description })),
    ...diagnostics
      .filter(({ leavesOut }) => leavesOut)
      .map(({ path, name, problem }) => ({ name: path, title: name, description: problem, isDead: true })),
  ];
};

const personaChoices = async (api: AssistantApi): Promise<Choice[]> => {
  const { personas, diagnostics } = await readPersonas(api.context.client);
  return [
    ...personas.map(({ slug, name, description }) => ({
      name: slug,
      title: name,
      description,
      isComplete: true,
    })),
    { name: "none", description: "Your own persona, if any", isComplete: true },
    ...diagnostics
      .filter(({ leavesOut }) => leavesOut)
      .map(({ path, problem }) => ({ name: path, description: problem, isDead: true })),
  ];
};

const optionChoices = async (api: AssistantApi): Promise<Choice[]> =>
  (await api.context.options()).map((option) => ({
    name: option.typed,
    title: option.label,
    description: `${valueWords(option)} · ${option.description}`,
  }));

/** Asked again on each new beginning; without an answer nothing is offered. */
function useAsked(
  wanted: boolean,
  api: AssistantApi,
  ask: (api: AssistantApi, threadId?: string) => Promise<Choice[]>,
  threadId?: string,
): readonly Choice[] {
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  useEffect(() => {
    if (!wanted) return;
    let current = true;
    ask(api, threadId).then(
      (found) => current && setChoices(found),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [api, ask, wanted, threadId]);
  return choices;
}
