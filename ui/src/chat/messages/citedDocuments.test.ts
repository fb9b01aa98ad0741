import { expect, it } from "vitest";
import { createCitedDocuments } from "./citedDocuments";

function documentsOf(...replies: (string[] | Error)[]) {
  const asked: string[] = [];
  const documents = createCitedDocuments(async (thread) => {
    asked.push(thread);
    const reply = replies.shift() ?? [];
    if (reply instanceof Error) throw reply;
    return reply.map((title, index) => ({ number: index + 1, title }));
  });
  const titles = () => [...(documents.titles.get().get("t")?.values() ?? [])];
  return { documents, asked, titles };
}

const later = () => new Promise((resolve) => setTimeout(resolve));

it("asks once for all messages of a thread, and again where a new message cites another document", async () => {
  const { documents, asked, titles } = documentsOf(["a.md"], ["a.md", "b.md"]);
  documents.need("t", "a1", [1]);
  documents.need("t", "a2", [1, 9]);
  await later();
  expect(titles()).toEqual(["a.md"]);
  documents.need("t", "a2", [1, 9]);
  documents.need("t", "a3", [1]);
  expect(asked).toEqual(["t"]);
  documents.need("t", "a4", [2]);
  await later();
  expect(titles()).toEqual(["a.md", "b.md"]);
  expect(asked).toEqual(["t", "t"]);
});

it("asks anew after a failure, and not where nothing is cited", async () => {
  const { documents, asked, titles } = documentsOf(new Error("gone"), ["a.md"]);
  documents.need("t", "a1", []);
  expect(asked).toEqual([]);
  documents.need("t", "a1", [1]);
  await later();
  expect(titles()).toEqual([]);
  documents.need("t", "a1", [1]);
  await later();
  expect(titles()).toEqual(["a.md"]);
});
