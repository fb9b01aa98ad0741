/**
 * Whether a page would fetch something from elsewhere by drawing a text as Markdown or HTML. Renderers read such texts
 * differently, so nothing of them is parsed: a sign of something that is drawn and a foreign address in one text count,
 * wherever they stand in it. That asks once too often where the address is that of a link.
 */

/** A picture, a tag other than those that only hold words, a style; `<lora:x:1>` and `<https://…>` are none. */
const drawn =
  /!\[|<(?!(?:a|b|i|p|br|em|strong|code|pre|ul|ol|li|h[1-6]|span|div)[\s/>])[a-z][\w-]*(?::[a-z][\w-]*)?[\s/>]|\bstyle\s*=|@import/i;
const addresses =
  /(?:https?|ftp|wss?):[\\/]*[^\s"'<>()\]]+|[\\/]{2}[^\s"'<>()\]]+|(?<=[\s"'(<=])\/[^\s"'<>()\]]*/gi;

/** What a GET may ask of ComfyUI without doing anything. */
const viewing = /^\/(?:api\/)?(?:view|extensions|templates|docs|assets)(?:\/|$)/;

/** `page` is the address of the page that draws the text. */
export function fetchedAddresses(text: string, page: string): URL[] {
  const found = [...readings(text)].flatMap((reading) =>
    drawn.test(reading) ? addressesIn(reading, page) : [],
  );
  return [...new Map(found.map((url) => [url.href, url])).values()];
}

/** Of texts that nodes may join to one: a picture's beginning may stand in one of them and its address in another. */
export function fetchedWhenJoined(texts: readonly string[], page: string): URL[] {
  return fetchedAddresses(texts.join(" "), page);
}

function addressesIn(text: string, page: string): URL[] {
  return [...text.matchAll(addresses)].flatMap(([address]) => elsewhere(address, page) ?? []);
}

/** An address as a person or a model writes one; undefined where it asks no other host, and ComfyUI only to show something. */
function elsewhere(address: string, page: string): URL | undefined {
  if (!URL.canParse(address, page)) return undefined;
  const [url, own] = [new URL(address, page), new URL(page)];
  if (!/^(?:https?|ftp|wss?):$/.test(url.protocol)) return undefined;
  if (url.origin !== own.origin) return url;
  const folder = own.pathname.replace(/\/[^/]*$/, "");
  const path = url.pathname.startsWith(`${folder}/`) ? url.pathname.slice(folder.length) : url.pathname;
  return path === "/" || viewing.test(path) ? undefined : url;
}

/** With what renderers take for the same: no line ends, escapes of Markdown and of styles, and entities of entities. */
function readings(text: string): Set<string> {
  const plain = withoutEntities(withoutEntities(text));
  const escaped = plain.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");
  const styled = plain.replaceAll(/\\([\da-f]{1,6})\s?/gi, (_, code) => character(code, 16));
  const joined = plain.replaceAll(/[\t\n\r]/g, "");
  return new Set([text, plain, escaped, styled, joined]);
}

const namedEntities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  colon: ":",
  sol: "/",
  bsol: "\\",
  period: ".",
  excl: "!",
  lsqb: "[",
  lbrack: "[",
  lpar: "(",
  Tab: "",
  NewLine: "",
};

function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));?/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return character(hex, 16);
    return decimal !== undefined ? character(decimal, 10) : (namedEntities[name] ?? whole);
  });
}

function character(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : "\ufffd";
}
