/** Choices that come and go: a list of files. */

/** With a letter: "v1.10" has none. */
const ending = /\.(?=\d*[a-z])\w{2,12}$/i;

export function areFiles(choices: readonly unknown[]): boolean {
  return choices.some((choice) => ending.test(String(choice)));
}

/** `a.png [output]`: a list names only the files of one folder, ComfyUI takes those of the others so. */
export function namesItsFolder(value: unknown): boolean {
  return typeof value === "string" && / \[(?:input|output|temp)\]$/.test(value);
}

/** Whether a list is known, and the value neither one of it nor a file of another folder. */
export function isMissingFrom(choices: readonly unknown[] | undefined, value: unknown): boolean {
  return choices !== undefined && !namesItsFolder(value) && !choices.includes(value);
}

/** As lists and ComfyUI have a file of another folder than theirs. */
export function nameWithFolder({ filename, subfolder, type }: FileInFolder): string {
  return `${subfolder === "" ? "" : `${subfolder}/`}${filename} [${type}]`;
}

interface FileInFolder {
  filename: string;
  subfolder: string;
  type: string;
}

/** Without folders and ending. */
export function fileStem(file: string): string {
  return file.replace(/^.*[\\/]/s, "").replace(ending, "");
}
