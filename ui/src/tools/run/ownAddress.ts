/** Results come back from storage: only addresses on this server are ever loaded. */
export function isOwnAddress(url: string): boolean {
  return url.startsWith("/") && !url.startsWith("//");
}
