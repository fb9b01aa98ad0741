/** What a model file is for, as far as its name tells: one half of a pair does not stand in for the other. */

/**
 * A line holds the roles that exclude one another, a role the words for it; as in `file_roles.py`. Of the first, a file
 * that tells none is a whole, for which no half stands in.
 */
const groups = `
high highnoise | low lownoise
base | refiner
encoder | decoder
t2v txt2vid | i2v img2vid | ti2v | s2v | v2v | flf2v
canny | depth | pose openpose dwpose | lineart | scribble | softedge hed | seg segmentation | normal normalbae | mlsd
`
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((role) => role.trim().split(" ")));

/** Those whose versions do not go together. */
const families = "wan flux qwen hunyuanvideo hunyuanimage hunyuan ltxv ltx cosmos sd";

const version = new RegExp(
  `(?:^|[^a-z])(${families.replaceAll(" ", "|")}|^v)[-_. ]?(\\d+(?![\\da-z])(?:[-_.]\\d(?![\\da-z]))?)`,
);

/** `wan_high_noise` beside `wan_low_noise`, and `wan2.1` beside `wan2.2`; what a name does not tell never differs. */
export function hasOtherRole(name: string, other: string): boolean {
  const [file, otherFile] = [name, other].map((each) => each.replace(/^.*[\\/]/s, "").toLowerCase());
  if (file === undefined || otherFile === undefined) return false;
  const [mine, theirs] = [versionOf(file), versionOf(otherFile)];
  if (mine && theirs && mine.family === theirs.family && mine.number !== theirs.number) return true;
  const [words, others] = [wordsOf(file), wordsOf(otherFile)];
  return groups.some((group, index) =>
    differ(rolesAmong(words, group), rolesAmong(others, group), index === 0),
  );
}

/** By their places in the group. */
function differ(mine: readonly number[], theirs: readonly number[], isHalf: boolean): boolean {
  if (isHalf) return mine.join() !== theirs.join();
  return mine.length > 0 && theirs.length > 0 && !mine.some((role) => theirs.includes(role));
}

function rolesAmong(words: ReadonlySet<string>, group: readonly string[][]): number[] {
  return group.flatMap((role, index) => (role.some((word) => words.has(word)) ? [index] : []));
}

function versionOf(file: string): { family: string; number: string } | undefined {
  const [, family, number] = version.exec(file) ?? [];
  return family === undefined || number === undefined
    ? undefined
    : { family, number: number.replace(/\D/g, "") };
}

function wordsOf(file: string): ReadonlySet<string> {
  return new Set(file.split(/[^\p{L}\p{N}]+/u));
}
