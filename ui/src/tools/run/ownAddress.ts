import { filesMeant } from "../read/filesMeant";

const here = "http://here";

/** Results come back from storage: only addresses on this server are ever loaded. */
export function isOwnAddress(url: string): boolean {
  // As browsers read it: a backslash, or a line break between slashes, makes "//" of it, another server's address.
  return url.startsWith("/") && URL.canParse(url, here) && new URL(url, here).origin === here;
}

/** Where a file of a run is shown from; older chats tell the address themselves. */
export function addressOf({ filename, url }: { filename: string; url?: string | undefined }): string {
  if (url !== undefined) return url;
  const [file] = filesMeant(filename);
  const root = globalThis.location?.pathname?.replace(/\/[^/]*$/, "") ?? "";
  return `${root}/api/view?${new URLSearchParams({ ...file })}`;
}
