/** How the open workflow can be read. */

export const views = ["compact", "outline", "around", "selection", "changes"] as const;

type View = (typeof views)[number];

export interface OpenRead {
  view?: View | undefined;
  nodeIds?: string[] | undefined;
  depth?: number | undefined;
  values?: "full" | undefined;
}
