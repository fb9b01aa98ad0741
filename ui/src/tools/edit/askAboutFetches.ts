/**
 * What the page would fetch from elsewhere as soon as a text is written, without any run: asked about in every mode.
 *
 * ComfyUI's page draws the texts of some nodes as Markdown, and those of packages may be drawn as anything.
 */

import type { Comfy } from "../../comfy/bridge";
import { type CompactWorkflow, scopes } from "../../graph/compact/workflow";
import { fetchedAddresses } from "../../graph/fetchedAddresses";
import type { UiNode, UiWorkflow } from "../../graph/uiWorkflow";
import { quoted, seen, seenId } from "../../shared/quoted";
import type { ApprovalRequest } from "../../shared/toolCalls";
import type { ToolContext } from "../tool";
import { Declined, ToolError } from "../toolError";
import { hasMarkup, textsIn, type WrittenText } from "./writtenTexts";

/** Those of ComfyUI's own that draw a text as Markdown. */
const drawing: ReadonlySet<string> = new Set(["MarkdownNote", "PreviewAny", "SaveText"]);
/** Of the page itself, where no definition says so; they show a text as it is. */
const plain: ReadonlySet<string> = new Set(["Note", "PrimitiveNode", "Reroute"]);

const mostNamed = 6;

type Asker = Partial<Pick<ToolContext, "confirm" | "thread">>;

interface Fetch extends Omit<WrittenText, "text"> {
  address: URL;
}

/** Nodes of packages and those that stand for a subgraph may draw what they hold in any way. */
export function drawsTexts(comfy: Comfy, type: string): boolean {
  if (drawing.has(type)) return true;
  if (plain.has(type)) return false;
  const definition = comfy.nodeDefinition(type);
  return (
    !definition ||
    definition.origin !== undefined ||
    definition.inputs.some((input) => input.type === "MARKDOWN")
  );
}

/** Throws `Declined` where the person does not agree. `before` tells which texts are drawn already. */
export async function askAboutFetches(
  comfy: Comfy,
  written: readonly WrittenText[],
  before: CompactWorkflow,
  { confirm, thread = "" }: Asker,
): Promise<void> {
  const drawn = textsDrawn(comfy, before);
  const fetches = written
    .filter(({ type, text }) => drawsTexts(comfy, type) && !drawn.has(text))
    .flatMap(({ text, ...where }) => addressesIn(text).map((address): Fetch => ({ ...where, address })));
  if (fetches.length === 0) return;
  const question = questionOf(fetches, thread);
  if (!confirm)
    throw new ToolError(`Nothing was written: ${question.detail}`, "Write it without what is fetched.");
  if (!(await confirm(question))) throw new Declined(`${question.title} Nothing was written.`);
}

/** Of a workflow as ComfyUI saves it. */
export function markupSaved({ nodes, definitions }: UiWorkflow): WrittenText[] {
  const ofNode = ({ id, type, title, ...held }: UiNode): WrittenText[] =>
    textsIn([held.widgets_values, held.properties])
      .filter(hasMarkup)
      .map((text) => ({
        node: `Node ${seenId(String(id))} “${seen(title || type)}”`,
        type,
        input: "",
        text,
      }));
  const subgraphs = definitions?.subgraphs ?? [];
  return [nodes, ...subgraphs.map((subgraph) => subgraph.nodes)].flatMap((graph) =>
    (graph ?? []).flatMap(ofNode),
  );
}

function addressesIn(text: string): URL[] {
  return fetchedAddresses(text, thisPage());
}

export function thisPage(): string {
  return globalThis.location?.href ?? "http://here/";
}

function textsDrawn(comfy: Comfy, workflow: CompactWorkflow): Set<string> {
  const nodes = scopes(workflow).flatMap(({ graph }) => graph.nodes);
  return new Set(
    nodes
      .filter(({ type }) => drawsTexts(comfy, type))
      .flatMap(({ values }) => values.flatMap(({ value }) => textsIn(value))),
  );
}

function questionOf(fetches: readonly Fetch[], thread: string): ApprovalRequest & { detail: string } {
  const hosts = [...new Set(fetches.map(({ address }) => address.host))];
  const more = hosts.length - mostNamed;
  const few = `${hosts.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} other hosts` : ""}`;
  const lines = fetches.slice(0, mostNamed).map(({ node, input, address }) => {
    const where = input === "" ? node : `${node}, ${seen(input)}`;
    return `${where}: ${quoted(address.href)}.`;
  });
  const others = fetches.length - lines.length;
  return {
    title: `Write text that fetches from ${few}?`,
    detail: [
      "The page fetches this as soon as the text is shown, and no run is needed for it.",
      ...lines,
      ...(others > 0 ? [`And ${others} more.`] : []),
    ].join(" "),
    always: true,
    same: `${thread} fetch ${JSON.stringify(fetches.map(({ type, input, address }) => [type, input, address.href]))}`,
  };
}
