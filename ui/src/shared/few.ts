/** "a, b and 3 more": of what may be very many the first `most`. */
export function few(items: readonly string[], most: number, between = ", "): string {
  const more = items.length - most;
  return `${items.slice(0, most).join(between)}${more > 0 ? ` and ${more} more` : ""}`;
}

/** As entries of a list, of which the last says how many were left out, and `about` these. */
export function fewEntries(items: readonly string[], most: number, about = ""): string[] {
  const more = items.length - most;
  return [...items.slice(0, most), ...(more > 0 ? [`and ${more} more${about}`] : [])];
}
