import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { SentMessages } from "./SentMessages";

it("shows a short text whole, and of a long one the beginning with its length", () => {
  const long = Array.from({ length: 40 }, (_, line) => `rule ${line}`).join("\n");
  const shown = renderToStaticMarkup(
    <SentMessages
      messages={[
        { role: "system", content: long },
        { role: "user", content: "<b>go</b>" },
      ]}
    />,
  );
  expect(shown).toContain("rule 5…");
  expect(shown).not.toContain("rule 6");
  expect(shown).toContain(`Show all ${long.length} characters`);
  expect(shown).toContain("&lt;b&gt;go&lt;/b&gt;");
});
