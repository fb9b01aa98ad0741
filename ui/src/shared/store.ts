import { useSyncExternalStore } from "react";

/** A value outside React that components can follow. */
export interface Store<Value> {
  get(): Value;
  set(value: Value | ((previous: Value) => Value)): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      const next = value instanceof Function ? value(current) : value;
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/** A store of values by key; a component that follows one key does not hear about the others. */
export interface KeyedStore<Value> extends Store<ReadonlyMap<string, Value>> {
  put(key: string, value: Value | undefined): void;
}

export function createKeyedStore<Value>(): KeyedStore<Value> {
  const store = createStore<ReadonlyMap<string, Value>>(new Map());
  return {
    ...store,
    put(key, value) {
      store.set((previous) => {
        if (Object.is(previous.get(key), value)) return previous;
        const next = new Map(previous);
        if (value === undefined) next.delete(key);
        else next.set(key, value);
        return next;
      });
    },
  };
}

export function useKeyed<Value>(store: KeyedStore<Value>, key: string | undefined): Value | undefined {
  return useSyncExternalStore(store.subscribe, () => (key === undefined ? undefined : store.get().get(key)));
}
