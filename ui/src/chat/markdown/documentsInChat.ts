import { createContext } from "react";

/** The documents that a text may cite, by their numbers, and what opens one at the place that a sentence is about. */
export interface CitableDocuments {
  titles: ReadonlyMap<number, string>;
  open(number: number, near: string): void;
}

export const DocumentsInChat = createContext<CitableDocuments | undefined>(undefined);
