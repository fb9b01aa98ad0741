/** What a person chose or dropped, folders with all that lies in them. */

export interface ChosenFile {
  /** With the folders that it lies in, from the one that was chosen on. */
  name: string;
  content: Blob;
}

export interface Chosen {
  files: ChosenFile[];
  /** How many files and folders were left out, which programs keep for themselves, such as `.git`. */
  hidden: number;
}

export function filesOfInput(given: Iterable<File>): Chosen {
  const all = [...given].map((content) => ({ name: content.webkitRelativePath || content.name, content }));
  const files = all.filter(({ name }) => !name.split("/").some(isHidden));
  return { files, hidden: all.length - files.length };
}

/** To be called while the drop is handled: the browser forgets its entries afterwards. */
export async function filesOfDrop({ items, files }: DataTransfer): Promise<Chosen> {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  if (entries.length === 0) return filesOfInput(files);
  const chosen: Chosen = { files: [], hidden: 0 };
  for (const entry of entries) await gather(entry, chosen);
  return chosen;
}

async function gather(entry: FileSystemEntry, chosen: Chosen): Promise<void> {
  if (isHidden(entry.name)) {
    chosen.hidden++;
  } else if (isFile(entry)) {
    const content = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    chosen.files.push({ name: entry.fullPath.replace(/^\/+/, ""), content });
  } else {
    for (const inside of await entriesOf(entry as FileSystemDirectoryEntry)) await gather(inside, chosen);
  }
}

/** A reader gives them a hundred at a time, and none at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

const isHidden = (name: string) => name.startsWith(".");
