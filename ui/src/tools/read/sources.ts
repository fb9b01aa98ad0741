/** Whose words a result may bring, as models are told: data, whatever it asks for. */

/** Each result may quote it. */
export const openWorkflow = "the open workflow";

/** Those that no result before has told. */
export function newSources(sources: readonly string[], before: readonly string[] = []): string[] {
  return [...new Set(sources)].filter((source) => !before.includes(source));
}
