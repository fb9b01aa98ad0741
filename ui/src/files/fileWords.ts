import { amountOf } from "../shared/amounts";
import type { Listing, ProjectFile } from "./filesApi";

/** "860 bytes", "12 kB", "3.4 MB". */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return amountOf(bytes, "byte");
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** What a chat has of a file, or why it has nothing. */
export function stateOf(file: ProjectFile, { isSearched }: Pick<Listing, "isSearched">): string {
  if (!file.isOn) return "switched off";
  if (!file.isRead) return "reading…";
  if (file.characters === 0) return "left out";
  if (file.isWhole) return "sent whole";
  return isSearched ? "too long to send whole: searched" : "too long: only part is sent";
}

/** How much of the room is taken by what is told whole. */
export function takenRoom(files: readonly ProjectFile[]): number {
  return files.filter(({ isOn, isWhole }) => isOn && isWhole).reduce((sum, { tokens }) => sum + tokens, 0);
}
