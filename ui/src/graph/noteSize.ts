/** The room that a note takes, which has no wires and shows a text. */

import type { Size } from "./graph";
import { collapsedWidth } from "./keptSize";
import { isWireless } from "./notes";

/** As the templates' authors draw theirs; longer texts are scrolled. */
const narrow = 300;
const wide = 440;
const longText = 400;
const highest = 600;
/** About what a letter and a line take, with those around the text. */
const letterWidth = 7;
const lineHeight = 20;
const margin = 40;

interface Note {
  inputs: readonly unknown[];
  outputs: readonly unknown[];
  title: string;
  size: Size;
}

/** By the longest text among its values; undefined for what is no note, or has none. */
export function noteSize(node: Note, values: readonly unknown[]): Size | undefined {
  const texts = values.filter((value) => typeof value === "string");
  const [text = ""] = texts.sort((one, other) => other.length - one.length);
  if (!isWireless(node) || text.trim() === "") return undefined;
  const width = Math.max(text.length > longText ? wide : narrow, node.size.width, collapsedWidth(node.title));
  const letters = Math.floor((width - margin) / letterWidth);
  const lines = text
    .split("\n")
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / letters)), 0);
  const height = Math.min(highest, lineHeight * lines + margin);
  return { width, height: Math.max(height, node.size.height) };
}
