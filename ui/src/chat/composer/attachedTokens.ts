import type { Attachment } from "@assistant-ui/react";

type Content = NonNullable<Attachment["content"]>;

/** Of English and of JSON; a glance, not a count. */
const charactersOfToken = 4;

/** About how many tokens the texts of an attached file take of a request; 0 for what goes along by its name alone. */
export function tokensOfTexts(content: Content): number {
  const characters = content.reduce((sum, part) => {
    const [about, text = ""] = part.type === "file" ? splitOnce(part.data) : [""];
    return (
      sum + (about.startsWith("data:text") || about.startsWith("data:application") ? decoded(text).length : 0)
    );
  }, 0);
  return Math.ceil(characters / charactersOfToken);
}

/** Those of a picture by OpenAI's rule, as the server counts it: `engine/context/images.py`. */
export function tokensOfPicture(width: number, height: number): number {
  const scale = Math.min(1, 2048 / Math.max(width, height), 768 / Math.min(width, height));
  const tiles = (side: number) => Math.max(1, Math.ceil((side * scale) / 512 - 1e-9));
  return 85 + 170 * tiles(width) * tiles(height);
}

function splitOnce(data: string): [string, string?] {
  const comma = data.indexOf(",");
  return comma < 0 ? [data] : [data.slice(0, comma), data.slice(comma + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
