import type { StoredFile } from "../../comfy/bridge";

const folders = ["output", "temp", "input"];

/**
 * The files that an address, a path such as `input/cats/a.png`, or a name may mean. One without a folder of ComfyUI's may
 * be in any of them.
 */
export function filesMeant(reference: string): StoredFile[] {
  const address = /\/view\?(.*)$/.exec(reference.trim());
  if (address) {
    const query = new URLSearchParams(address[1]);
    const filename = query.get("filename") ?? "";
    return [{ filename, subfolder: query.get("subfolder") ?? "", type: query.get("type") ?? "output" }];
  }
  const parts = reference.trim().replaceAll("\\", "/").split("/").filter(Boolean);
  const isIn = (path: readonly string[], type: string) => ({
    filename: path.at(-1) ?? "",
    subfolder: path.slice(0, -1).join("/"),
    type,
  });
  const [folder = ""] = parts;
  const within = parts.length > 1 && folders.includes(folder) ? [isIn(parts.slice(1), folder)] : [];
  return [...within, ...folders.map((type) => isIn(parts, type))];
}
