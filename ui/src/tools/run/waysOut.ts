/**
 * Where a text of a node leads: one plain look at a time, each linear in the text. They name what anybody sees in the value;
 * what is hidden is the package's own doing, which its question is about.
 */

/** The name of a protocol, before the signs that every address has. */
const protocol = /[a-z][a-z0-9+.-]*$/i;
const longestProtocol = 20;
const upwards = /(?:^|[/\\\s"'=:,;(])\.\.(?:[/\\]|$)/;
/** What only separates texts, "/" and "\n", is no path. */
const absolute = /^[ \t]{0,8}["']?(?:\/(?=\S)|\\(?![nrt]?$)|~(?:[/\\]|$)|[a-z]:[/\\])/im;
/** What is put there is code when ComfyUI starts. */
const customNodes = /(?:^|[/\\\s"'=])custom_nodes(?:[/\\]|$)/i;
/** A picture as ComfyUI's own page shows it: an address there, and no file. */
const shownPicture = /^(?:\/api)?\/view\?[^/\\\s]*$/;
const ownFolder = /^(?:output|input|temp)(?:[/\\]|$)/i;

export function namesAddress(text: string): boolean {
  for (let at = text.indexOf("://"); at !== -1; at = text.indexOf("://", at + 1))
    if (protocol.test(text.slice(Math.max(0, at - longestProtocol), at))) return true;
  return false;
}

/** A path that is absolute, of the person's home, goes up, or leads to ComfyUI's extensions. */
export function namesPlace(text: string): boolean {
  return upwards.test(text) || customNodes.test(text) || (absolute.test(text) && !shownPicture.test(text));
}

/** A path that does not say that it lies in ComfyUI's output, input or temp folder. */
export function leavesOwnFolders(path: string): boolean {
  return path !== "" && (!ownFolder.test(path) || namesPlace(path));
}
