import { countNodes, NoWorkflow, type Recognised, recognise, recogniseJson } from "../../graph/recognise";
import { isObject, parseJson } from "../../shared/json";

/** The workflow in a text that an earlier result or message is, whose handle is `ref`. Throws `NoWorkflow`. */
export function workflowBehind(ref: string, text: string): Recognised {
  const value = parseJson(text);
  if (isObject(value) && typeof value.ok === "boolean") return inResult(ref, value);
  const [found] = pieces(text).flatMap((piece) => attempt(() => recognise(piece)));
  if (found) return found;
  throw new NoWorkflow(`${ref} holds no workflow.`, otherwise);
}

const otherwise = "Name a getWorkflowInfo result or a message that has one, or pass workflow itself.";

function inResult(ref: string, { ok, summary, error, data }: Record<string, unknown>): Recognised {
  if (!ok) throw new NoWorkflow(`${ref} is a call that failed: ${error}`, otherwise);
  const [found] = isObject(data)
    ? [data.text, data.workflow, data].flatMap((each) =>
        attempt(() => (typeof each === "string" ? recognise(each) : recogniseJson(each))),
      )
    : [];
  if (!found || !isObject(data)) throw new NoWorkflow(`${ref} holds no workflow: ${summary}`, otherwise);
  const isPart = typeof data.nodes === "number" && countNodes(found) !== data.nodes;
  if (isPart || data.view === "outline")
    throw new NoWorkflow(
      `${ref} shows ${isPart ? `${countNodes(found)} of ${data.nodes} nodes` : "no values"} of the workflow.`,
      "Name a result of getWorkflowInfo with view compact.",
    );
  return found;
}

/** Where a workflow may stand in what a person wrote: all of it, an attachment or code block, what is in braces. */
function pieces(text: string): string[] {
  const blocks = [...text.matchAll(/<attached[^\n]*>\n([\s\S]*?)\n<\/attached>|```\w*\n([\s\S]*?)\n```/g)];
  return [
    text,
    ...blocks.map(([, attached, code]) => attached ?? code ?? ""),
    text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1),
  ].filter((piece) => piece.trim() !== "");
}

function attempt(read: () => Recognised): Recognised[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof NoWorkflow) return [];
    throw error;
  }
}
