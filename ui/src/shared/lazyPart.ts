import { createStore, type Store } from "./store";

export type LazyState<Part> =
  | { kind: "loading" }
  | { kind: "ready"; part: Part }
  | { kind: "failed"; reason: string };

/** A part of the panel that lies in a chunk of its own, and how far its loading is. */
export interface LazyPart<Part> extends Omit<Store<LazyState<Part>>, "set"> {
  /** Begins to load, or tries again after a failure; otherwise does nothing. */
  load(): void;
  /** Has it loaded and waits for it; rejects with the reason when it does not come. */
  arrival(): Promise<Part>;
}

export function createLazyPart<Part>(fetchPart: () => Promise<Part>): LazyPart<Part> {
  const { get, set, subscribe } = createStore<LazyState<Part>>({ kind: "loading" });
  let requested: Promise<Part> | undefined;
  async function request(): Promise<Part> {
    set({ kind: "loading" });
    try {
      const part = await fetchPart();
      set({ kind: "ready", part });
      return part;
    } catch (error) {
      requested = undefined;
      set({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }
  function arrival() {
    requested ??= request();
    return requested;
  }
  return {
    get,
    subscribe,
    arrival,
    load: () => void arrival().catch(() => {}),
  };
}
