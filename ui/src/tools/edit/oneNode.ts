import { needs } from "./operation";

/** For operations on a single node. Throws a ToolError where several were named. */
export function oneNode(nodes: readonly string[] = []): string {
  const [only, ...more] = nodes;
  if (only === undefined) throw needs("nodes");
  if (more.length > 0) throw needs("nodes with one id");
  return only;
}
