/** What reads and carries out the calls that edit; it loads with the first of them. */

export { editList, exampleFor } from "../batchArguments";
export { addNode } from "./addNode";
export { arrangeNodes } from "./arrangeNodes";
export { connectNodes } from "./connectNodes";
export { disconnectNodes } from "./disconnectNodes";
export { editWorkflow } from "./editWorkflow";
export { removeNode } from "./removeNode";
export { setNodeWidgetValue } from "./setNodeWidgetValue";
export { undoTurn } from "./undoTurn";
