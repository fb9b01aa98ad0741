import { createKeyedStore, type KeyedStore } from "../../shared/store";

export type Titles = ReadonlyMap<number, string>;

/** The numbered documents of threads, asked for once an answer cites one that is not known. */
export interface CitedDocuments {
  titles: KeyedStore<Titles>;
  /** Asks for those of a thread, once for each of its messages. */
  need(thread: string, message: string, numbers: readonly number[]): void;
}

export function createCitedDocuments(
  read: (thread: string) => Promise<readonly { number: number; title: string }[]>,
): CitedDocuments {
  const titles = createKeyedStore<Titles>();
  const asked = new Set<string>();
  const reading = new Map<string, Promise<void>>();
  return {
    titles,
    need(thread, message, numbers) {
      const known = titles.get().get(thread);
      const key = `${thread} ${message}`;
      if (asked.has(key) || numbers.every((number) => known?.has(number))) return;
      asked.add(key);
      if (reading.has(thread)) return;
      const request = read(thread)
        .then((documents) =>
          titles.put(thread, new Map(documents.map(({ number, title }) => [number, title]))),
        )
        // Then the citations stay words, until they are shown anew.
        .catch(() => asked.delete(key))
        .then(() => void reading.delete(thread));
      reading.set(thread, request);
    },
  };
}
