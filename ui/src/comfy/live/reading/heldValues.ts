/** What the page counts on with a run, such as seeds, as it was before. */

import type { LiveApp } from "../page";

/** Notes what all widgets hold; what it returns puts that back. */
export function holdValues(app: LiveApp): () => void {
  const root = app.rootGraph ?? app.graph;
  const held = [root, ...(root.subgraphs?.values() ?? [])]
    .flatMap(({ nodes }) => nodes.flatMap(({ widgets = [] }) => widgets))
    .map((widget) => ({ widget, value: widget.value }));
  return () => {
    for (const { widget, value } of held) if (widget.value !== value) widget.value = value;
    root.setDirtyCanvas(true, true);
  };
}
