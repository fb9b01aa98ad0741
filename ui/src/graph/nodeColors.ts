/** The colors of ComfyUI's own menu, as it keeps them in a node: muted shades of what they are called. */

export const menuColors: Readonly<Record<string, string>> = {
  red: "#322",
  brown: "#332922",
  green: "#232",
  blue: "#223",
  pale_blue: "#2a363b",
  cyan: "#233",
  purple: "#323",
  yellow: "#432",
  black: "#222",
};

/** What a model or a person calls it: its name, if it has one. */
export function colorWord(color: string): string {
  return Object.keys(menuColors).find((name) => menuColors[name] === color.toLowerCase()) ?? color;
}
