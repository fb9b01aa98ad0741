import { expect, it } from "vitest";
import { filesOfDrop, filesOfInput } from "./chosenFiles";

type Tree = { [name: string]: string | Tree };

/** An entry as browsers give it to a drop: readers give a few at a time. */
function entry(name: string, of: string | Tree, parent = ""): FileSystemEntry {
  const fullPath = `${parent}/${name}`;
  if (typeof of === "string") {
    const file = (done: (file: File) => void) => done(new File([of], name));
    return { isFile: true, name, fullPath, file } as unknown as FileSystemEntry;
  }
  const inside = Object.entries(of).map(([each, value]) => entry(each, value, fullPath));
  const createReader = () => {
    const left = [...inside];
    return { readEntries: (done: (some: FileSystemEntry[]) => void) => done(left.splice(0, 2)) };
  };
  return { isFile: false, name, fullPath, createReader } as unknown as FileSystemEntry;
}

function dropped(tree: Tree): DataTransfer {
  const items = Object.entries(tree).map(([name, of]) => ({ webkitGetAsEntry: () => entry(name, of) }));
  return { items, files: [] } as unknown as DataTransfer;
}

it("takes a dropped folder with all that lies in it, and leaves out what programs hide", async () => {
  const { files, hidden } = await filesOfDrop(
    dropped({
      notes: { "a.md": "A", "b.md": "B", deep: { "c.md": "C" }, ".git": { HEAD: "x" }, ".DS_Store": "x" },
      "style.md": "Style",
    }),
  );
  expect(files.map(({ name }) => name)).toEqual(["notes/a.md", "notes/b.md", "notes/deep/c.md", "style.md"]);
  expect(await files[3]?.content.text()).toBe("Style");
  expect(hidden).toBe(2);
});

it("takes files where the browser knows no entries", async () => {
  const file = new File(["A"], "a.md");
  const transfer = { items: [], files: [file] } as unknown as DataTransfer;
  expect(await filesOfDrop(transfer)).toEqual({ files: [{ name: "a.md", content: file }], hidden: 0 });
});

it("names the files of a chosen folder with their folders", () => {
  const inside = (path: string) =>
    Object.defineProperty(new File(["x"], path.split("/").at(-1) ?? ""), "webkitRelativePath", {
      value: path,
    });
  const { files, hidden } = filesOfInput([inside("notes/a.md"), inside("notes/.git/HEAD")]);
  expect(files.map(({ name }) => name)).toEqual(["notes/a.md"]);
  expect(hidden).toBe(1);
});
