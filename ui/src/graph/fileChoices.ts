/** Choices that come and go: a list of files. */

/** With a letter: "v1.10" has none. */
const ending = /\.(?=\d*[a-z])\w{2,12}$/i;

export function areFiles(choices: readonly unknown[]): boolean {
  return choices.some((choice) => ending.test(String(choice)));
}

/** Without folders and ending. */
export function fileStem(file: string): string {
  return file.replace(/^.*[\\/]/s, "").replace(ending, "");
}
