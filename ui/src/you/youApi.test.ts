import { expect, it } from "vitest";
import { createYouApi, type Entry, flawsOf, placeBefore, putBack, type You } from "./youApi";

const entry = (text: string): Entry => ({
  text,
  value: "",
  source: "remembered",
  isOn: true,
  repeats: false,
});
const entries = ["One.", "Two.", "Three."].map(entry);

it("puts what was deleted back where it stood, switched off or repeated as it was", async () => {
  const sent: unknown[] = [];
  const api = createYouApi({
    send: async (...call) => {
      sent.push(call);
      return new Response("{}");
    },
  });
  await putBack(api, "rules", entries, { ...entry("Two."), isOn: false });
  await putBack(api, "rules", entries, { ...entry("Two."), repeats: true });
  expect(sent).toEqual([
    ["POST", "/assistant/you/rules", { text: "Two." }],
    ["PATCH", "/assistant/you/rules", { text: "Two.", isOn: false, before: "Three." }],
    ["POST", "/assistant/you/rules", { text: "Two." }],
    ["PATCH", "/assistant/you/rules", { text: "Two.", isOn: true, before: "Three.", repeats: true }],
  ]);
});

it.each([
  [0, -1, undefined],
  [1, -1, "One."],
  [0, 1, "Three."],
  [1, 1, ""],
  [2, 1, undefined],
] as const)("moves entry %i by %i to stand before %s", (index, step, before) => {
  expect(placeBefore(entries, index, step)).toBe(before);
});

it("finds what is wrong with a file, in whichever folder", () => {
  const flaw = (path: string) => ({ path, problem: "It is empty.", action: "" });
  const diagnostics = ["data/rules.md", "user_context/rules.md", "preferences.json"].map(flaw);
  const you = { diagnostics } as unknown as You;
  expect(flawsOf(you, "rules.md")).toEqual(diagnostics.slice(0, 2));
  expect(flawsOf(you, "preferences.json")).toEqual(diagnostics.slice(2));
});
