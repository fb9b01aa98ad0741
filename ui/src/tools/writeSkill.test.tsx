import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Ask } from "./missing/ask";
import { testCalls } from "./testing/testCall";
import { writeSkill } from "./writeSkill";

const text = "---\nname: Neon\ndescription: Glows.\n---\nUse magenta.\n";
const other = text.replace("magenta", "cyan");

interface Kept {
  text: string;
  place?: string;
  state?: string;
}

/** A server with these skills. */
function serverWith(skills: { [slug: string]: Kept } = {}) {
  const sent: unknown[] = [];
  const ask: Ask = async (method, route, body) => {
    const slug = route.split("/").at(-1) ?? "";
    const skill = skills[slug];
    if (route === "/assistant/skills")
      return { ok: true, value: { skills: Object.keys(skills).map((each) => ({ slug: each })) } };
    if (method !== "GET") {
      sent.push([method, route, body]);
      return { ok: true, value: { change: { id: "1" } } };
    }
    if (!skill) return { ok: false, status: 404, code: "not_found", message: "There is none." };
    return { ok: true, value: { place: "own", state: "on", version: "v1", ...skill } };
  };
  const calls = testCalls();
  calls.ask = ask;
  return { calls, sent };
}

const shown = (calls: ReturnType<typeof testCalls>) =>
  renderToStaticMarkup(calls.asked[0]?.body).replace(/<[^>]+>/g, "");

it("writes a new skill once the person has seen its text", async () => {
  const { calls, sent } = serverWith();
  expect(await calls.call(writeSkill, { slug: "neon", text })).toMatchObject({
    ok: true,
    summary: 'Wrote the user\'s skill "neon". /skills undoes it.',
  });
  expect(calls.asked).toMatchObject([{ title: 'Write your skill "neon"?', always: true }]);
  expect(shown(calls)).toContain("+ Use magenta.");
  expect(sent).toEqual([["POST", "/user-context/skills", { slug: "neon", text }]]);
});

it("changes one over the text that was shown, and tells what differs", async () => {
  const { calls, sent } = serverWith({ neon: { text } });
  expect(await calls.call(writeSkill, { slug: "neon", text: other })).toMatchObject({
    ok: true,
    data: { diff: "…\n  description: Glows.\n  ---\n- Use magenta.\n+ Use cyan." },
  });
  expect(shown(calls)).toContain("- Use magenta.\n+ Use cyan.");
  expect(sent).toEqual([["PATCH", "/user-context/skills/neon", { text: other, seen: "v1" }]]);
});

it("removes one", async () => {
  const { calls, sent } = serverWith({ neon: { text } });
  expect(await calls.call(writeSkill, { slug: "neon", remove: true })).toMatchObject({ ok: true });
  expect(calls.asked).toMatchObject([{ title: 'Delete your skill "neon"?', allow: "Delete" }]);
  expect(sent).toEqual([["DELETE", "/user-context/skills/neon", { seen: "v1" }]]);
});

it("writes one of the person's own in place of one that came along", async () => {
  const { calls, sent } = serverWith({ neon: { text, place: "built-in" } });
  await calls.call(writeSkill, { slug: "neon", text: other });
  expect(calls.asked).toMatchObject([{ detail: "It takes the place of the one that there is." }]);
  expect(sent).toMatchObject([["POST", "/user-context/skills", { slug: "neon" }]]);
});

it("changes nothing that the person does not allow", async () => {
  const { calls, sent } = serverWith({ neon: { text } });
  calls.isAllowed = false;
  expect(await calls.call(writeSkill, { slug: "neon", text: other })).toMatchObject({ code: "declined" });
  expect(sent).toEqual([]);
});

it.each([
  ["without a text", { slug: "neon" }, "text is missing: the whole SKILL.md."],
  [
    "that removes what is not there",
    { slug: "warm", remove: true },
    'The user has no skill "warm" of their own.',
  ],
  ["that changes nothing", { slug: "neon", text }, '"neon" is written so already; nothing was changed.'],
  [
    "on what is not accepted",
    { slug: "strange", text },
    '"strange" is from elsewhere, and the user has not accepted it: /skills.',
  ],
])("refuses a call %s, and asks nothing", async (_, args, error) => {
  const { calls, sent } = serverWith({ neon: { text }, strange: { text, place: "elsewhere", state: "new" } });
  expect(await calls.call(writeSkill, args)).toMatchObject({ ok: false, error });
  expect([calls.asked, sent]).toEqual([[], []]);
});
