/** What a caught value says went wrong: an error's message, or the value itself where something else was thrown. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
