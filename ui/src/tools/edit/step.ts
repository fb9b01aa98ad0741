/** What a checked batch does to ComfyUI's graphs, in order. Nodes go by their ids in the draft. */

import type { Json, NodeId, NodeMode, Place, Point } from "../../graph/graph";
import type { InputPlace, OutputPlace } from "../../graph/links";

export type Step = { place: Place } & (
  | {
      do: "add";
      node: NodeId;
      type: string;
      /** The id that it has to get, of a node that was taken away. */
      id?: NodeId;
      title?: string;
      position?: Point;
      near?: NodeId;
    }
  | { do: "remove"; node: NodeId }
  | { do: "connect"; from: OutputPlace; to: InputPlace }
  | { do: "disconnect"; to: InputPlace }
  | { do: "set"; node: NodeId; widget: string; value: Json }
  | { do: "move"; node: NodeId; position: Point }
  | { do: "mode"; node: NodeId; mode: NodeMode }
  | { do: "title"; node: NodeId; title: string }
  | { do: "color"; node: NodeId; color: string | undefined }
  | { do: "group"; nodes: readonly NodeId[]; title: string; color?: string }
  | { do: "makeSubgraph"; nodes: readonly NodeId[]; title?: string }
  | { do: "expandSubgraph"; node: NodeId }
  /** In a subgraph, under the name of its new slot. */
  | { do: "promoteInput"; to: InputPlace; name: string }
  | { do: "promoteOutput"; from: OutputPlace; node: NodeId; name: string }
  /** On the node of a subgraph. */
  | { do: "demoteInput"; node: NodeId; name: string }
  | { do: "demoteOutput"; node: NodeId; name: string }
);
