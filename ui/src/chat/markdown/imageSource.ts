/**
 * The address of an image that may be shown, or undefined.
 *
 * Only ComfyUI's own `/view` images are: any other address in a model's text could carry out what it has read.
 */
export function shownImage(source: string | undefined, page: string): string | undefined {
  if (!source) return undefined;
  if (!URL.canParse(source, page)) return undefined;
  const url = new URL(source, page);
  if (url.origin !== new URL(page).origin) return undefined;
  return /(?:^|\/)view$/.test(url.pathname) ? url.href : undefined;
}
