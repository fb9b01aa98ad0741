/** What a file or message holds is another workflow than the open one, as for ComfyUI itself where a file is dropped. */
export function opensTab({ mode, file, ref }: { mode?: string; file?: string; ref?: string }): boolean {
  return mode === undefined ? file !== undefined || /^[ud]\d/.test(ref ?? "") : mode === "newTab";
}
