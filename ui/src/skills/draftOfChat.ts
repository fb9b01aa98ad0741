/** A skill drafted from a chat by rules alone: what the person asked for, and which tools were used. */

const mostAsked = 30;
const longestAsked = 600;

interface Message {
  role: string;
  parts: readonly { type: string; text?: string }[];
}

export interface Draft {
  slug: string;
  text: string;
}

export function draftOfChat(messages: readonly Message[]): Draft {
  const asked = messages.flatMap(({ role, parts }) => {
    const text = parts.flatMap((part) => (part.type === "text" && part.text ? [part.text] : [])).join(" ");
    const line = oneLine(text);
    return role === "user" && line ? [line] : [];
  });
  const tools = new Set(
    messages.flatMap(({ parts }) => parts.flatMap(({ type }) => /^tool-(.+)$/.exec(type)?.[1] ?? [])),
  );
  const title = asked[0] ? cut(asked[0].replace(/^\/\w+\s+/, ""), 50) : "New skill";
  const steps = asked.slice(0, mostAsked).map((line, index) => `${index + 1}. ${cut(line, longestAsked)}`);
  const left = asked.length - steps.length;
  return {
    slug: slugOf(title),
    text: [
      "---",
      `name: ${JSON.stringify(title)}`,
      `description: ${JSON.stringify(`When something like this is asked: ${title}`)}`,
      "---",
      "",
      "# What was asked, in this order",
      "",
      ...(steps.length > 0 ? steps : ["1. "]),
      ...(left > 0 ? [`… and ${left} more`] : []),
      "",
      ...(tools.size > 0 ? ["# Tools that were used", "", [...tools].join(", "), ""] : []),
    ].join("\n"),
  };
}

export const emptyDraft: Draft = draftOfChat([]);

/** As the server has slugs; never empty. */
export function slugOf(title: string): string {
  const plain = title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 40);
  return plain.replaceAll(/^-+|-+$/g, "") || "new-skill";
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{C}]+/gu, " ").trim();
}

/** Up to the end of a word. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most).replace(/\s\S*$/, "");
  return `${beginning} …`;
}
