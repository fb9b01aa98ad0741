/**
 * The addresses that a page would fetch from elsewhere by drawing a text as Markdown or HTML: pictures, media, frames,
 * styles. Links, which wait for a click, are none.
 *
 * Renderers read such texts differently, so a text is read in more than one way, and where it is not plain what belongs
 * to a picture, all destinations beside it count.
 */

/** A tag of which an address is fetched that is called as one of a link is. */
const fetchingTags =
  /<(?:[\w-]+:)?(?:link|base|image|use|feimage|script|set|animate\w*|mpath|pattern|filter|\w+gradient|meta|embed|object)\b/i;
const ownAttributes =
  /[\s"'/](?:[\w:-]*src|poster|data|background|dynsrc|lowsrc|codebase)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi;
const listAttributes = /[\s"'/][\w:-]*srcset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi;
const linkAttributes =
  /[\s"'/](?:[\w-]+:)?(?:href|to|from|values|content|classid)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi;
const styleAddresses = /\b(?:url|src)\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*))/gi;
const styleStrings = /@import|\bimage(?:-set)?\(/i;
const quotedStrings = /"([^"]*)"|'([^']*)'/g;
const destinations = /\]\(\s*(?:<([^<>\n]*)>|([^\s)]*))/g;
const definitions = /\]:\s*(?:<([^<>\n]*)>|(\S+))/g;
/** One that no renderer reads otherwise. */
const plainPicture = /!\[[^\][`<>\\&]*\]\(\s*(?:<([^<>\n]*)>|([^\s)]*))/g;

const begunElement =
  /!\[|<(?:img|video|audio|source|i?frame|svg|image|style|link|object|embed|body|table|td|input|base|meta)\b/i;
const looseAddress = /(?:[a-z][a-z0-9+.-]{0,30}:)?\/\/[^\s"'<>)\]]+/gi;

/** What a GET may ask of ComfyUI without doing anything. */
const viewing = /^\/(?:api\/)?(?:view|extensions|templates|docs|assets)(?:\/|$)/;

/** `page` is the address of the page that draws the text. */
export function fetchedAddresses(text: string, page: string): URL[] {
  const found = new Map<string, URL>();
  for (const reading of readings(text))
    for (const address of [...ofMarkdown(reading), ...ofHtml(reading)]) {
      const url = elsewhere(address, page);
      if (url) found.set(url.href, url);
    }
  return [...found.values()];
}

/** Of texts that nodes may join to one: a picture's beginning may stand in one of them and its address in another. */
export function fetchedWhenJoined(texts: readonly string[], page: string): URL[] {
  const each = [...texts, texts.join("")].flatMap((text) => fetchedAddresses(text, page));
  const isBegun = texts.length > 1 && texts.some((text) => begunElement.test(text));
  const loose = isBegun ? texts.flatMap((text) => text.match(looseAddress) ?? []) : [];
  const others = loose.flatMap((address) => elsewhere(address, page) ?? []);
  return [...new Map([...each, ...others].map((url) => [url.href, url])).values()];
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

function ofMarkdown(text: string): string[] {
  if (!text.includes("![")) return [];
  const paragraphs = text.replaceAll(/\r\n?/g, "\n").split(/\n[ \t]*\n/);
  return [
    ...allOf(definitions, text),
    ...paragraphs.flatMap((paragraph) => {
      const rest = paragraph.replaceAll(plainPicture, "");
      return [...allOf(plainPicture, paragraph), ...(rest.includes("![") ? allOf(destinations, rest) : [])];
    }),
  ];
}

function ofHtml(text: string): string[] {
  if (!/<[a-z!?]/i.test(text)) return [];
  return [
    ...allOf(ownAttributes, text),
    ...allOf(listAttributes, text).flatMap((list) =>
      list.split(",").map((each) => each.trim().split(/\s/)[0] ?? ""),
    ),
    ...(fetchingTags.test(text)
      ? allOf(linkAttributes, text).flatMap((each) => [each, ...each.split(/[;=]/)])
      : []),
    ...allOf(styleAddresses, text),
    ...(styleStrings.test(text) ? allOf(quotedStrings, text) : []),
  ];
}

/** With what renderers take for the same: escapes of Markdown and of styles, and entities, which may stand in each other. */
function readings(text: string): Set<string> {
  const written = [text, text.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")];
  const all = written.flatMap((each) => [
    each,
    withoutEntities(each),
    withoutEntities(withoutEntities(each)),
  ]);
  return new Set(
    all.flatMap((each) => [each, each.replaceAll(/\\([\da-f]{1,6})\s?/gi, (_, code) => character(code, 16))]),
  );
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
  lbrack: "[",
  lsqb: "[",
  rbrack: "]",
  rsqb: "]",
  lpar: "(",
  rpar: ")",
  equals: "=",
  quest: "?",
  num: "#",
  Tab: "\t",
  NewLine: "\n",
  nbsp: "\u00a0",
  commat: "@",
  lowbar: "_",
  hyphen: "-",
  percnt: "%",
  comma: ",",
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

/** What the groups of each match hold. */
function allOf(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].flatMap((match) => match.slice(1).filter((each) => each !== undefined));
}
