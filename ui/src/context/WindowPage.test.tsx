import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { ThreadContext } from "../api/contextReplies";
import { ContextRing } from "./ContextRing";
import { report } from "./testReport";
import { WindowPage } from "./WindowPage";

const context: ThreadContext = {
  ...report,
  estimatedTokens: 28_000,
  blocks: { ...report.blocks, checkpoint: 0, turns: 20_600 },
  nextAction: { what: "digest", atTokens: 24_000 },
  lastUsage: { inputTokens: 20_000, cachedInputTokens: 18_600 },
  compactions: [],
  pins: [],
  leftOut: [],
};

const text = (markup: string) => markup.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

it("tells each block in tokens and per cent, what comes next, and what was cached", () => {
  const shown = text(
    renderToStaticMarkup(
      <WindowPage context={context} onCompact={() => {}} onClear={() => {}} onForgetWindow={() => {}} />,
    ),
  );
  expect(shown).toContain("System message rules, skills and files 4,000 10 %");
  expect(shown).toContain("Free 8,000 20 %");
  expect(shown).toContain("Older tool results are shortened at 24,000 tokens.");
  expect(shown).toContain("The last request took 20,000 tokens, 93 % of it from the provider&#x27;s cache.");
});

it.each([
  [0, "No request of this chat has been answered yet."],
  [9_000, "The provider has not said how many tokens a request of this chat took."],
])("says so where no provider has told anything and the turns take %i tokens", (turns, words) => {
  const blocks = { ...context.blocks, turns };
  const shown = renderToStaticMarkup(
    <WindowPage
      context={{ ...context, blocks, lastUsage: null }}
      onCompact={() => {}}
      onClear={() => {}}
      onForgetWindow={() => {}}
    />,
  );
  expect(shown).toContain(words);
});

it("tells where the window comes from, and lets one that was learned be forgotten", () => {
  const shown = (origin: Partial<ThreadContext>) =>
    renderToStaticMarkup(
      <WindowPage
        context={{ ...context, ...origin }}
        onCompact={() => {}}
        onClear={() => {}}
        onForgetWindow={() => {}}
      />,
    );
  expect(shown({ windowNote: "The server tells it." })).toContain("The server tells it.");
  expect(shown({ windowNote: "The server tells it." })).not.toContain("Forget");
  expect(shown({ windowNote: "It was learned.", windowLearnedAt: 1_000 })).toContain("Forget it");
});

it("names the files that the system message has no room for", () => {
  const leftOut = [
    { source: "system_context/skills/50_house/SKILL.md", amount: 5_012, unit: "tokens" },
    { source: "rules.md", amount: 28, unit: "rules" },
  ];
  const shown = text(
    renderToStaticMarkup(
      <WindowPage
        context={{ ...context, leftOut }}
        onCompact={() => {}}
        onClear={() => {}}
        onForgetWindow={() => {}}
      />,
    ),
  );
  expect(shown).toContain("The system message of this chat has no room for 2 files or parts of them");
  expect(shown).toContain("system_context/skills/50_house/SKILL.md 5,012 tokens rules.md 28 rules");
});

it("has a ring whose colour and name tell how full the context is", () => {
  const ring = renderToStaticMarkup(<ContextRing report={context} onOpen={() => {}} />);
  expect(ring).toContain('data-level="nearly-full"');
  expect(ring).toContain(
    'aria-label="Context: 28,000 of 32,000 tokens (88 %), of a window of 40,000. Show the context"',
  );
});
