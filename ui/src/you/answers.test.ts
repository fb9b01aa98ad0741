import { expect, it } from "vitest";
import { nothingSaid, tell, toldBy } from "./answers";
import { createYouApi } from "./youApi";

const answers = {
  language: " German ",
  tone: "Short and plain",
  makes: ["Photos", "Video"],
  experience: "New to it",
};

it("makes rules and preferences of what was answered, and nothing of what was not", () => {
  expect(toldBy(answers).map(({ kind, text, value }) => [kind, text, value])).toEqual([
    ["rules", "Always answer in German.", ""],
    ["rules", "Answer in few words, without praise or small talk.", ""],
    ["preferences", "what I make", "photos, video"],
    ["preferences", "experience with ComfyUI", "new to it; explain its terms"],
  ]);
  expect(toldBy(nothingSaid)).toEqual([]);
});

it("takes the place of nothing that is there", async () => {
  const sent: string[] = [];
  const part = { text: "", tokens: 0 };
  const told = { form: "full", window: null, system: part, reminder: part, systemTokens: 0, leftOut: [] };
  const mine = { text: "what I make", value: "pots", source: "file", isOn: false };
  const api = createYouApi({
    send: async (method, route, body) => {
      if (method !== "GET") sent.push(`${method} ${route} ${JSON.stringify(body)}`);
      const none = { rules: [], documents: [], diagnostics: [] };
      return Response.json({ ...none, preferences: [mine], told });
    },
  });
  await tell(api, { ...answers, language: "", tone: "" });
  expect(sent).toEqual([
    'POST /assistant/you/preferences {"text":"experience with ComfyUI","value":"new to it; explain its terms"}',
  ]);
});
