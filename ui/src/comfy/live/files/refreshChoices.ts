/** The lists that widgets choose from, brought up to date with the server's without loading the page anew. */

import { z } from "zod";
import type { LiveGraph, Page } from "../page";
import { rootGraph } from "../page";
import { inPageForm } from "../reading/definition";
import { choicesOf } from "../reading/values";
import { fetchListsAgain } from "./fetchedLists";
import { uploadFlags } from "./offerUpload";

const inputs = z.record(z.string(), z.tuple([z.unknown()], z.unknown()));
const reply = z.record(
  z.string(),
  z.object({ input: z.object({ required: inputs.optional(), optional: inputs.optional() }) }),
);
const listed = z.looseObject({ options: z.array(z.unknown()) });
const declared = z.object({ inputs: z.record(z.string(), z.unknown()) });

interface Change {
  type: string;
  input: string;
  added: unknown[];
  removed: Set<unknown>;
}

export async function refreshChoices(page: Page, types: readonly string[]): Promise<boolean> {
  const graphs = [rootGraph(page), ...(rootGraph(page).subgraphs?.values() ?? [])];
  const found = await Promise.all(nodeTypes(graphs, types).map((type) => changesOf(page, type)));
  const changes = found.flat();
  for (const change of changes) {
    update(choiceLists(page, change.type).get(change.input)?.options, change);
    for (const { nodes } of graphs)
      for (const { widgets = [], type } of nodes)
        if (type === change.type)
          for (const { name, options } of widgets) if (name === change.input) update(options?.values, change);
  }
  const isFetched = await fetchListsAgain(page, types);
  return isFetched || changes.length > 0;
}

/** A subgraph's node shows widgets of the nodes inside. */
function nodeTypes(graphs: readonly LiveGraph[], types: readonly string[]): string[] {
  const all = new Set(types);
  for (const type of all)
    for (const { type: inner } of graphs.find(({ id }) => id === type)?.nodes ?? []) all.add(inner);
  return [...all];
}

async function changesOf(page: Page, type: string): Promise<Change[]> {
  const lists = choiceLists(page, type);
  if (lists.size === 0) return [];
  const response = await page.api.fetchApi(`/object_info/${encodeURIComponent(type)}`);
  const { required, optional } = reply.safeParse(await response.json()).data?.[type]?.input ?? {};
  return Object.entries({ ...optional, ...required }).flatMap(([input, [kind, more]]) => {
    const list = lists.get(input);
    const fresh = Array.isArray(kind) ? kind : listed.safeParse(more).data?.options;
    if (!list || !fresh) return [];
    // A list for uploads shows no folders, and keeps the files in them that were put there from the page.
    const isUpload = uploadFlags.some((flag) => list[flag] === true);
    const isGone = (choice: unknown) =>
      !fresh.includes(choice) && !(isUpload && String(choice).includes("/"));
    const added = fresh.filter((choice) => !list.options.includes(choice));
    const removed = new Set(list.options.filter(isGone));
    return added.length + removed.size === 0 ? [] : [{ type, input, added, removed }];
  });
}

/** Those of a node type, as the page holds them, by input. */
function choiceLists(page: Page, type: string) {
  const data = declared.safeParse(inPageForm(page.liteGraph.registered_node_types[type]?.nodeData)).data;
  return new Map(
    Object.entries(data?.inputs ?? {}).flatMap(([name, input]) => {
      const list = input as z.infer<typeof listed> | undefined;
      return choicesOf(list?.options) && Array.isArray(list?.options) ? [[name, list] as const] : [];
    }),
  );
}

/** In place: nodes, definitions and menus share these lists. */
function update(choices: unknown, { added, removed }: Change): void {
  if (!Array.isArray(choices)) return;
  const next = [
    ...choices.filter((choice) => !removed.has(choice)),
    ...added.filter((choice) => !choices.includes(choice)),
  ];
  choices.splice(0, choices.length, ...next);
}
