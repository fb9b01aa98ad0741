import type { Json, NodeId } from "../../graph/graph";

export type ProblemKind =
  | "missing-type"
  | "missing-input"
  | "nothing-handed-on"
  | "missing-file"
  | "wrong-choice"
  | "wrong-value"
  | "wrong-type"
  | "other-family"
  | "loop"
  | "no-output"
  | "failed-pack";

/** One reason why the workflow, or a part of it, will not run. */
export interface Problem {
  kind: ProblemKind;
  /** By run id: node 3 inside subgraph node 12 is `12:3`. Without one, it is about the whole. */
  node?: NodeId;
  type?: string;
  input?: string;
  found: string;
  fix?: string;
}

/** Of one input; which one is added by whoever looks at the node. */
export type InputProblem = Pick<Problem, "kind" | "found" | "fix">;

/** A fix that is told of an earlier one already is told by that one's node. */
export function problemsData(problems: readonly Problem[]): { [key: string]: Json }[] {
  const told = new Map<string, NodeId>();
  return problems.map((problem) => {
    const { node, fix = "" } = problem;
    const before = told.get(fix);
    const words = `As for ${before}.`;
    if (before !== undefined && words.length < fix.length) return problemData({ ...problem, fix: words });
    if (node !== undefined && fix !== "") told.set(fix, node);
    return problemData(problem);
  });
}

function problemData({ node, type, input, found, fix }: Problem): { [key: string]: Json } {
  return {
    ...(node !== undefined && { node: type === undefined ? node : `${node} ${type}` }),
    ...(input !== undefined && { input }),
    problem: found,
    ...(fix !== undefined && { fix }),
  };
}
