/** What a text may have become by the time that a node uses it: read otherwise, or a part of it alone. */

/** Not seen, or dropped by whoever reads addresses. */
const unseen = /[\p{Cf}\t\r\u115f\u1160\u3164\uffa0]/gu;
const slashes = /[\u2044\u2215\u29f8]/g;
const backslashes = /[\u2216\u29f5]/g;
const escaped = /%([0-7][\da-f])/gi;
const base64 = /[A-Za-z\d+/]{16,}={0,2}|[A-Za-z\d_-]{16,}={0,2}/g;
const printable = /^[\t\n\r\x20-\x7e]+$/;
const mostDecoded = 100_000;

/** The text first; then without what is not seen, in plain letters, with its escapes read, and what stands in base64. */
export function textForms(text: string): string[] {
  const plain = text
    .normalize("NFKC")
    .replaceAll(unseen, "")
    .replaceAll("\0", "\n")
    .replaceAll(slashes, "/")
    .replaceAll(backslashes, "\\");
  const once = withoutEscapes(plain);
  return [...new Set([text, plain, once, withoutEscapes(once), ...decoded(plain)])];
}

function withoutEscapes(text: string): string {
  return text.replaceAll(escaped, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

function decoded(text: string): string[] {
  return [...text.slice(0, mostDecoded).matchAll(base64)].flatMap(([each]) => {
    try {
      const words = atob(each.replaceAll("-", "+").replaceAll("_", "/"));
      return printable.test(words) ? [words] : [];
    } catch {
      return [];
    }
  });
}

const named = [/__([^\s_][^\n]*?)__/g, /<\w+:([^:>\n]+)/g, /\bembedding:([^\s,)]+)/g, /\{([^{}\n]*)\}/g];

/** Names of wildcards, LoRAs and embeddings within a prompt, and what it chooses among. */
export function namesWithin(text: string): string[] {
  return named
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .flatMap(([, name = ""]) => name.split("|"))
    .map((name) => name.trim());
}

/** Where links of Markdown and reStructuredText lead, and what stands in angle brackets. */
const linked = /\]\(\s*<?([^\s)>]+)|^[ \t]*\[[^\]\n]+\]:[ \t]*<?([^\s>]+)|<([^\s<>]+)>/gm;

export function linksWithin(text: string): string[] {
  return [...text.matchAll(linked)].flatMap(([, ...found]) => found.filter((each) => each !== undefined));
}
