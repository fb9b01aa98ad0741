/** Choices that come and go: a list of files. */

const fileName = /\.\w{2,12}$/;

export function areFiles(choices: readonly unknown[]): boolean {
  return choices.some((choice) => fileName.test(String(choice)));
}
