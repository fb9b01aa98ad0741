/** A mark that the browser keeps. Its storage may be full or forbidden: then the mark holds for this page. */

const marked = new Set<string>();

export function isMarked(key: string): boolean {
  try {
    return marked.has(key) || localStorage.getItem(key) !== null;
  } catch {
    return marked.has(key);
  }
}

export function mark(key: string): void {
  marked.add(key);
  try {
    localStorage.setItem(key, "1");
  } catch {}
}
