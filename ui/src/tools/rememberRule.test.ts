import { expect, it } from "vitest";
import type { Ask } from "./missing/ask";
import { rememberRule } from "./rememberRule";
import { testCalls } from "./testing/testCall";

const IN_FILE = "Name the seed.";
const sourceOf = (rule: string) => (rule === IN_FILE ? "file" : "remembered");

/** A server with these rules. */
function serverWith(...rules: string[]) {
  const ask: Ask = async (method, _, body) => {
    const { text } = (body ?? {}) as { text: string };
    if (method === "GET")
      return { ok: true, value: { entries: rules.map((each) => ({ text: each, source: sourceOf(each) })) } };
    if (method === "POST") rules.push(text);
    else rules.splice(rules.indexOf(text), 1);
    return { ok: true, value: { text } };
  };
  const calls = testCalls();
  calls.ask = ask;
  return { calls, rules };
}

it("remembers a rule once the person allows its very words", async () => {
  const { calls, rules } = serverWith();
  expect(await calls.call(rememberRule, { rule: "Speak German." })).toMatchObject({
    ok: true,
    summary: "Remembered for all chats: Speak German.",
  });
  expect(calls.asked).toMatchObject([{ detail: "Speak German.", always: true }]);
  expect(rules).toEqual(["Speak German."]);
});

it("forgets the rule that is meant", async () => {
  const { calls, rules } = serverWith("Speak German.", "Save every image.");
  expect(await calls.call(rememberRule, { rule: "german", forget: true })).toMatchObject({ ok: true });
  expect(calls.asked).toMatchObject([{ detail: "Speak German.", always: true }]);
  expect(rules).toEqual(["Save every image."]);
});

it("asks nothing about a rule that stands in the file of the user", async () => {
  const { calls, rules } = serverWith(IN_FILE);
  expect(await calls.call(rememberRule, { rule: "seed", forget: true })).toMatchObject({
    ok: false,
    error: `The rule "${IN_FILE}" stands in the user's own file rules.md.`,
  });
  expect(calls.asked).toEqual([]);
  expect(rules).toEqual([IN_FILE]);
});

it("changes nothing that the person does not allow", async () => {
  const { calls, rules } = serverWith("Speak German.");
  calls.isAllowed = false;
  expect(await calls.call(rememberRule, { rule: "Sing." })).toMatchObject({ ok: false, code: "declined" });
  expect(await calls.call(rememberRule, { rule: "german", forget: true })).toMatchObject({
    ok: false,
    code: "declined",
  });
  expect(rules).toEqual(["Speak German."]);
});

it.each([
  ["sing", 'There is no rule "sing".'],
  ["e", 'Several rules have "e".'],
])("asks for no more than one rule that is there: %s", async (rule, error) => {
  const { calls } = serverWith("Speak German.", "Save every image.");
  expect(await calls.call(rememberRule, { rule, forget: true })).toMatchObject({
    ok: false,
    error,
    hint: "Rules: Speak German. | Save every image.",
  });
  expect(calls.asked).toEqual([]);
});
