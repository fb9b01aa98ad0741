/** Every browser tool, in the order in which a model sees them. */

import { addNode } from "./addNode";
import { connectNodes } from "./connectNodes";
import { disconnectNodes } from "./disconnectNodes";
import { executeWorkflow } from "./executeWorkflow";
import { getWorkflowInfo } from "./getWorkflowInfo";
import { removeNode } from "./removeNode";
import { setNodeWidgetValue } from "./setNodeWidgetValue";
import type { Tool } from "./tool";

export const browserTools: readonly Tool[] = [
  getWorkflowInfo,
  addNode,
  removeNode,
  connectNodes,
  disconnectNodes,
  setNodeWidgetValue,
  executeWorkflow,
];
