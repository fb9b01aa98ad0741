import { expect, it } from "vitest";
import { draftOfChat, emptyDraft, slugOf } from "./draftOfChat";

const user = (text: string) => ({ role: "user", parts: [{ type: "text", text }] });
const answer = (...types: string[]) => ({ role: "assistant", parts: types.map((type) => ({ type })) });

it("has what the person asked and the tools that were used, and nothing that the model said", () => {
  const said = { role: "assistant", parts: [{ type: "text", text: "Gladly." }] };
  expect(
    draftOfChat([
      user('Make a fox: "red"'),
      answer("tool-editWorkflow"),
      said,
      user("Now\nrun it"),
      answer("tool-editWorkflow", "tool-executeWorkflow"),
    ]),
  ).toEqual({
    slug: "make-a-fox-red",
    text: `---
name: "Make a fox: \\"red\\""
description: "When something like this is asked: Make a fox: \\"red\\""
---

# What was asked, in this order

1. Make a fox: "red"
2. Now run it

# Tools that were used

editWorkflow, executeWorkflow
`,
  });
});

it("tells how much it leaves out of a long chat", () => {
  const { text } = draftOfChat(
    Array.from({ length: 35 }, (_, index) => user(`step ${index} ${"word ".repeat(200)}`)),
  );
  expect(text).toContain("… and 5 more");
  expect(text.length).toBeLessThan(25_000);
});

it("is a form to fill in where nothing was asked", () => {
  expect(emptyDraft.slug).toBe("new-skill");
  expect(emptyDraft.text).toContain('name: "New skill"');
});

it.each([
  ["Neon Look!", "neon-look"],
  ["Über Größe", "uber-gro-e"],
  ["人像", "new-skill"],
  ["--", "new-skill"],
])("makes a slug of %s", (title, slug) => {
  expect(slugOf(title)).toBe(slug);
});
