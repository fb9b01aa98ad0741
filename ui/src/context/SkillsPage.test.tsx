import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { SkillList } from "./SkillsPage";

const skills = [{ slug: "neon", name: "Neon look", description: "Glows.", source: "own/skills/neon.md" }];
const flaw = { path: "own/skills/a", problem: "It holds no SKILL.md.", action: "Add one." };

const shown = (diagnostics: Parameters<typeof SkillList>[0]["diagnostics"]) =>
  renderToStaticMarkup(<SkillList skills={skills} diagnostics={diagnostics} />).replaceAll(/<[^>]+>/g, " ");

it("lists what there is and says of what is not read why, and what to do", () => {
  const text = shown([{ ...flaw, leavesOut: true }]);
  expect(text).toMatch(/Not read\s+own\/skills\/a\s+It holds no SKILL.md. Add one./);
  expect(text).toMatch(/neon\s+Neon look\s+Glows./);
  expect(text).not.toContain("with flaws");
});

it("keeps what has flaws apart, and says nothing where nothing is wrong", () => {
  expect(shown([{ ...flaw, leavesOut: false }])).toMatch(/Read, with flaws\s+own\/skills\/a/);
  expect(shown([])).not.toContain("Not read");
});
