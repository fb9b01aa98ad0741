import { createKeyedStore, useKeyed } from "../shared/store";

const kept = createKeyedStore<unknown>();

/**
 * A value such as a text that is being written, which outlives the view that shows it: closed and opened again, it is as
 * it was left. It ends with the page. Each `key` is for values of one type.
 */
export function useKept<Value>(key: string): [Value | undefined, (value: Value | undefined) => void] {
  return [useKeyed(kept, key) as Value | undefined, (value) => kept.put(key, value)];
}
