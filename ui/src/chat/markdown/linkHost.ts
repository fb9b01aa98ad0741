/** Where a link leads, where its words could be taken for the address of somewhere else. */

/** With a scheme, or a name with a dot or a port, or numbers; what stands before and behind does not matter. */
const addressed =
  /[a-z][a-z0-9+.-]*:[/\\]{2}[^\s/\\?#]+|(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}|(?:\d{1,3}\.){3}\d{1,3}|localhost|\p{L}[\p{L}\p{N}_-]*:\d{4,5}/giu;
/** They turn the order of what is read. */
const turning = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** The host to be told beside the link; undefined where its words say nothing else, or it stays on this page's own host. */
export function hostToTell(label: string, href: string, page: string): string | undefined {
  const url = parsed(href, page);
  const host = url && nameOf(url);
  if (!url || !host || host === nameOf(new URL(page))) return undefined;
  // Letters of other scripts look like ours, and a name before "@" like the host.
  if (turning.test(label) || host.includes("xn--") || url.username !== "") return host;
  const visible = label
    .normalize("NFKC")
    .replaceAll(/[\p{C}\p{M}]/gu, "")
    .replaceAll(/[。｡]/g, ".");
  const spoken = [visible, visible.replaceAll(/\s/g, "")].flatMap((text) => text.match(addressed) ?? []);
  const others = spoken.map((each) =>
    parsed(/^[a-z][a-z0-9+.-]*:[/\\]{2}/i.test(each) ? each : `https://${each}`, page),
  );
  return others.some((other) => other && nameOf(other) !== host) ? host : undefined;
}

function nameOf({ hostname }: URL): string {
  return hostname.replace(/^www\./, "");
}

function parsed(address: string, page: string): URL | undefined {
  return URL.canParse(address, page) ? new URL(address, page) : undefined;
}
