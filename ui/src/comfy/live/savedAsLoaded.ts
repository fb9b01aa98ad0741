/** Nodes of types that are not installed: ComfyUI's page saves them as they were loaded, whatever was changed of them since. */

import type { LiveNode } from "./page";

/** Has the page save what was changed of such a node; states that were saved before keep theirs. */
export function keepChanged(node: LiveNode): void {
  const loaded = node.last_serialization;
  if (!loaded) return;
  const { mode, title, pos, color, bgcolor } = node;
  const { color: _color, bgcolor: _bgcolor, ...rest } = loaded;
  node.last_serialization = {
    ...rest,
    ...{ mode, title, pos: [pos[0] ?? 0, pos[1] ?? 0] },
    ...(color !== undefined && { color }),
    ...(bgcolor !== undefined && { bgcolor }),
  };
}
