import { CopyButton } from "../../ui/CopyButton";
import type { ByHand } from "./lines";

/** Where a file is that the person gets, and where it belongs, to copy. */
export function ByHandFile({ file, folder, url }: ByHand) {
  const parts = [
    { text: url, label: `Copy the address of ${file}` },
    { text: folder, label: `Copy the folder of ${file}` },
  ].filter(({ text }) => text !== "");
  return parts.map(({ text, label }) => (
    <span key={label} className="cass-by-hand">
      <code>{text}</code>
      <CopyButton label={label} text={() => text} />
    </span>
  ));
}
