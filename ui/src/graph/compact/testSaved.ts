/** Saved workflows for tests, and what a page would tell of their widgets. */

import type { Json } from "../graph";
import type { UiNode, UiWorkflow } from "../uiWorkflow";
import { buildWorkflow } from "./build";
import type { NamedWidget } from "./nodeValues";
import { shapeOf } from "./randomWorkflow";
import type { WorkflowSource } from "./read";
import type { CompactWorkflow } from "./workflow";

let last = 0;

export function savedAs(workflow: CompactWorkflow): UiWorkflow {
  const newUuid = () => `00000000-0000-4000-8000-${String(++last).padStart(12, "0")}`;
  return buildWorkflow(workflow, { shapeOf, newUuid }) as unknown as UiWorkflow;
}

/** With its widgets named as the page names them. */
export function sourceOfSaved(workflow: UiWorkflow): WorkflowSource {
  const definitions = workflow.definitions?.subgraphs ?? [];
  const widgets = (scope: string | undefined, id: string): NamedWidget[] => {
    const graph = definitions.find((definition) => definition.id === scope) ?? workflow;
    const node = graph.nodes.find((each) => String(each.id) === id) as UiNode;
    const own = shapeOf(node.type)?.widgets.map(({ name }) => name);
    const names =
      node.type === "PrimitiveNode"
        ? ["value", "control_after_generate"]
        : (own ?? (node.inputs ?? []).filter(({ widget }) => widget).map(({ name }) => name));
    return names.map((name, index) => ({ name, value: (node.widgets_values as Json[])[index] ?? null }));
  };
  return { workflow, widgets };
}
