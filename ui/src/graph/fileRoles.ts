/** What a model file is for, as far as its name tells: one half of a pair does not stand in for the other. */

/** A line holds the roles that exclude one another, a role the words for it. as in `file_roles.py`. */
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

/** `wan_high_noise` beside `wan_low_noise`; a name that tells no role has none that differs. */
export function hasOtherRole(name: string, other: string): boolean {
  const [words, others] = [wordsOf(name), wordsOf(other)];
  return groups.some((group) => {
    const rolesAmong = (known: ReadonlySet<string>) =>
      group.filter((role) => role.some((word) => known.has(word)));
    const [mine, theirs] = [rolesAmong(words), rolesAmong(others)];
    return mine.length > 0 && theirs.length > 0 && !mine.some((role) => theirs.includes(role));
  });
}

function wordsOf(name: string): ReadonlySet<string> {
  const file = name.replace(/^.*[\\/]/s, "").toLowerCase();
  return new Set(file.split(/[^\p{L}\p{N}]+/u));
}
