import { menuColors } from "../../graph/nodeColors";
import { ToolError } from "../tool";
import { colorNumber, colorText } from "../values/color";

const comfyColors = Object.keys(menuColors);

/** A color for nodes and groups, as ComfyUI takes it; undefined for none. */
export function nodeColor(written: string | undefined): string | undefined {
  const wanted = written?.trim().toLowerCase() ?? "";
  if (wanted === "" || wanted === "none" || wanted === "default") return undefined;
  if (comfyColors.includes(wanted)) return wanted;
  const color = colorNumber(wanted);
  if (color === undefined)
    throw new ToolError(`"${written}" is no color.`, `Take ${comfyColors.join(", ")}, none, or #rrggbb.`);
  return colorText(color);
}
