/** Every browser tool, in the order in which a model sees them. */

import { addNode } from "./addNode";
import { applyWorkflow } from "./applyWorkflow";
import { arrangeNodes } from "./arrangeNodes";
import { connectNodes } from "./connectNodes";
import { disconnectNodes } from "./disconnectNodes";
import { downloadModel } from "./downloadModel";
import { editWorkflow } from "./editWorkflow";
import { executeWorkflow } from "./executeWorkflow";
import { findMissing } from "./findMissing";
import { getWorkflowInfo } from "./getWorkflowInfo";
import { openOtherChats } from "./openOtherChats";
import { rememberRule } from "./rememberRule";
import { removeNode } from "./removeNode";
import { runNewWorkflow } from "./runNewWorkflow";
import { setNodeWidgetValue } from "./setNodeWidgetValue";
import type { Tool } from "./tool";
import { undoTurn } from "./undoTurn";
import { validateWorkflow } from "./validateWorkflow";
import { viewImages } from "./viewImages";
import { writeSkill } from "./writeSkill";

export const browserTools: readonly Tool[] = [
  getWorkflowInfo,
  editWorkflow,
  applyWorkflow,
  addNode,
  removeNode,
  connectNodes,
  disconnectNodes,
  setNodeWidgetValue,
  arrangeNodes,
  undoTurn,
  validateWorkflow,
  findMissing,
  downloadModel,
  executeWorkflow,
  viewImages,
  rememberRule,
  openOtherChats,
  writeSkill,
  runNewWorkflow,
];
