/** A value put into a widget as the page itself does when a person chooses it. */

import type { Json } from "../../../graph/graph";
import type { LiveNode, LiveWidget, Page } from "../page";

export function putValue(page: Page, node: LiveNode, widget: LiveWidget, value: Json, name: string): void {
  const { canvas } = page.app;
  if (widget.setValue) {
    widget.setValue(value, { e: undefined, node, canvas });
    return;
  }
  const previous = widget.value;
  widget.value = value;
  widget.callback?.(value, canvas, node);
  node.onWidgetChanged?.(name, value, previous, widget);
}
