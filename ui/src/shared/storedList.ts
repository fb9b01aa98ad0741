type Store = Pick<Storage, "getItem" | "setItem">;

/** A list of JSON in the browser's storage; empty where that is forbidden, or holds something else. */
export function storedList<Entry>(storage: Pick<Store, "getItem">, key: string): Entry[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** Keeps the newest ones. A storage may be full or forbidden; then nothing is kept. */
export function addToStoredList(storage: Store, key: string, entry: unknown, most: number): void {
  const kept = [...storedList(storage, key), entry].slice(-most);
  try {
    storage.setItem(key, JSON.stringify(kept));
  } catch {}
}
