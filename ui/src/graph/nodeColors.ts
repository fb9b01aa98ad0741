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

/** The same for groups. */
export const groupColors: Readonly<Record<string, string>> = {
  red: "#a88",
  brown: "#b06634",
  green: "#8a8",
  blue: "#88a",
  pale_blue: "#3f789e",
  cyan: "#8aa",
  purple: "#a1309b",
  yellow: "#b58b2a",
  black: "#444",
};

/** What a model or a person calls it: its name, if it has one. */
export function colorWord(color: string): string {
  return nameIn(menuColors, color);
}

export function groupColorWord(color: string): string {
  return nameIn(groupColors, color);
}

function nameIn(colors: Readonly<Record<string, string>>, color: string): string {
  return Object.keys(colors).find((name) => colors[name] === color.toLowerCase()) ?? color;
}
