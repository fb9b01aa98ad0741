/** Choices that come and go: a list of files. */

const ending = /\.\w{2,12}$/;

export function areFiles(choices: readonly unknown[]): boolean {
  return choices.some((choice) => ending.test(String(choice)));
}

/** Without folders and ending. */
export function fileStem(file: string): string {
  return file.replace(/^.*[\\/]/s, "").replace(ending, "");
}
