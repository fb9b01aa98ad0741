import { reasonOf } from "./reasonOf";
import { createStore, type Store } from "./store";

export type LazyState<Content> =
  | { kind: "loading" }
  | { kind: "ready"; content: Content }
  | { kind: "failed"; reason: string };

/** What of the panel lies in a chunk of its own, and how far its loading is. */
export interface LazyChunk<Content> extends Omit<Store<LazyState<Content>>, "set"> {
  /** Begins to load, or tries again after a failure, as it does by itself where the browser was offline; otherwise does nothing. */
  load(): void;
  /** Has it loaded and waits for it; rejects with the reason when it does not come. */
  arrival(): Promise<Content>;
}

export function createLazyChunk<Content>(fetchContent: () => Promise<Content>): LazyChunk<Content> {
  const { get, set, subscribe } = createStore<LazyState<Content>>({ kind: "loading" });
  let requested: Promise<Content> | undefined;
  async function request(): Promise<Content> {
    set({ kind: "loading" });
    try {
      const content = await fetchContent();
      set({ kind: "ready", content });
      return content;
    } catch (error) {
      requested = undefined;
      set({ kind: "failed", reason: reasonOf(error) });
      globalThis.addEventListener?.("online", load, { once: true });
      throw error;
    }
  }
  function arrival() {
    requested ??= request();
    return requested;
  }
  function load() {
    arrival().catch(() => {});
  }
  return { get, subscribe, arrival, load };
}
