/** How a tool's result says what it has changed of the graph, for the model and for the panel. */

/** By a node's path or a group's name: its type, and what became different about it. */
export type NamedChanges = { [name: string]: string };

export type GraphChangesTold = {
  added: NamedChanges;
  changed: NamedChanges;
  removed: NamedChanges;
};

const quotedOrPlainWord = /(?:"(?:[^"\\]|\\.)*"|[^\s"])+/g;
const linkChange = /^(-?)("(?:[^"\\]|\\.)*"|[^"=<[{]+)<([^→]+?)(?:→(.+?))?([,;.]?)$/;

/** For people, `images<4→7` as `images from 7`, and `-images<4` as `images without 4`; values stay as they are. */
export function linksInWords(what: string): string {
  return what.replaceAll(quotedOrPlainWord, (word) =>
    word.replace(
      linkChange,
      (_, gone: string, input: string, before: string, after: string | undefined, end: string) =>
        `${input} ${gone ? "without" : "from"} ${after ?? before}${end}`,
    ),
  );
}

export const changeKinds = ["added", "changed", "removed"] as const;
export type ChangeKind = (typeof changeKinds)[number];
