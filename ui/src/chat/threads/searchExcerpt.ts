/** A stretch of an excerpt, `at` its place in it. */
export interface ExcerptPart {
  text: string;
  at: number;
  isFound: boolean;
}

/** What marks Markdown's forms, but not what may be of a name, such as `_`. */
const MARKS = /!?\[([^\]]*)\]\([^)\s]*\)|\*\*(?=\S)|(?<=\S)\*\*|`+|(?<=^|\s)#{1,6}(?=\s)\s?/g;

/** An excerpt as somebody reads it, in parts: those that are a word of the query, and what stands between. */
export function excerptParts(excerpt: string, query: string): ExcerptPart[] {
  const text = excerpt.replace(MARKS, "$1");
  const words = wordPatterns(query);
  if (words.length === 0) return [{ text, at: 0, isFound: false }];
  const parts = text.split(new RegExp(`(${words.join("|")})`, "iu"));
  let at = 0;
  return parts.flatMap((part, index) => {
    const place = at;
    at += part.length;
    return part === "" ? [] : [{ text: part, at: place, isFound: index % 2 === 1 }];
  });
}

/** The words of a query, the longest first, as sources of regular expressions. */
export function wordPatterns(query: string): string[] {
  return query
    .split(/\s+/)
    .filter((word) => word !== "")
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&"));
}
