/** What there is of these, one after the other. */
export function sentences(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(" ");
}
