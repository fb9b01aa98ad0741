/** A type that is not installed, and that the server replaces with another. */

import type { TypeReplacement } from "../../comfy/bridge";
import type { NodeId } from "../../graph/graph";
import { replacedWords } from "../read/replacedWords";
import type { Problem } from "./problem";

export function replacedType(node: NodeId, type: string, by: TypeReplacement): Problem {
  const edit = { op: "replace", nodes: [node], type: by.type };
  return {
    ...{ kind: "missing-type", node, type },
    found: `The node type ${type} is not installed; ${replacedWords(by)}.`,
    fix: `Replace it with editWorkflow, which keeps the node's links and values: ${JSON.stringify(edit)}.`,
  };
}
