/** The compact form, read back. What `writeCompact` remarks for readers only is skipped. */

import type { NodeId, NodeMode } from "../graph";
import { type Copies, makeCopies } from "./copies";
import { CompactSyntaxError, LineReader } from "./words";
import type {
  CompactGraph,
  CompactLink,
  CompactNode,
  CompactPort,
  CompactSource,
  CompactSubgraph,
  CompactValue,
  CompactWorkflow,
} from "./workflow";

const modes: readonly string[] = ["muted", "bypassed"] satisfies NodeMode[];

/** Throws `CompactSyntaxError` naming the line; blank lines and those that begin with `#` are skipped. */
export function parseCompact(text: string): CompactWorkflow {
  const workflow: CompactWorkflow = { nodes: [], groups: [], subgraphs: [] };
  const ids = new Map<CompactGraph, Set<NodeId>>();
  const copies: Copies = { likes: new Map(), twins: new Map() };
  let open: CompactSubgraph | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    const number = index + 1;
    if (line === "" || /^#|^(?:selected|open):/.test(line)) continue;
    const reader = new LineReader(line, number);
    if (/^subgraph\s/.test(line)) {
      if (open)
        throw new CompactSyntaxError(`the block of subgraph ${open.key} has no "end" before this`, number);
      open = readSubgraphHead(reader, copies);
      const { key } = open;
      if (workflow.subgraphs.some((other) => other.key === key))
        throw reader.error(`there is a second subgraph ${key}`);
      workflow.subgraphs.push(open);
    } else if (line === "end") {
      if (!open) throw new CompactSyntaxError('"end" without a subgraph block', number);
      open = undefined;
    } else addLine(open ?? workflow, reader, { ids, copies });
  }
  if (open)
    throw new CompactSyntaxError(`the block of subgraph ${open.key} has no "end"`, text.split("\n").length);
  makeCopies(workflow, copies);
  return workflow;
}

/** `ids` are those of each graph so far. */
function addLine(
  graph: CompactGraph,
  reader: LineReader,
  { ids, copies }: { ids: Map<CompactGraph, Set<NodeId>>; copies: Copies },
): void {
  if (/^group\s*"/.test(reader.text)) {
    graph.groups.push(readGroup(reader));
    return;
  }
  const { node, twin } = readNode(reader);
  if (twin !== undefined) copies.twins.set(node, { twin, reader });
  const taken = ids.get(graph) ?? new Set();
  if (taken.has(node.id)) throw reader.error(`there is a second node ${node.id}`);
  ids.set(graph, taken.add(node.id));
  graph.nodes.push(node);
}

function readGroup(reader: LineReader): CompactGraph["groups"][number] {
  reader.expect("group");
  reader.skipSpace();
  const title = reader.quoted();
  reader.skipSpace();
  // Where it lies, in readings: that follows from its nodes.
  if (reader.take("[")) reader.until("]");
  reader.take(":");
  const nodes: string[] = [];
  while (!reader.isAtEnd) nodes.push(reader.name(""));
  return { title, nodes };
}

function readNode(reader: LineReader): { node: CompactNode; twin: NodeId | undefined } {
  const id = reader.name("");
  if (!/^[\p{L}\p{N}_-]+$/u.test(id))
    throw reader.error(`"${id}" is no node id; a line begins with id and type`);
  reader.skipSpace();
  const type = reader.name("<=>^");
  const node: CompactNode = { id, type, mode: "active", links: [], values: [], shown: [] };
  const twin = !reader.isAtEnd && reader.take("=") ? reader.name("") : undefined;
  if (!reader.isAtEnd && reader.next === '"') readTitleOrPart(reader, node);
  while (!reader.isAtEnd) readPart(reader, node);
  return { node, twin };
}

/** A quoted word after the type is the title, unless it names a slot or widget. */
function readTitleOrPart(reader: LineReader, node: CompactNode): void {
  const text = reader.quoted();
  if ("<=".includes(reader.next) && reader.next !== "") readAssignment(reader, node, text);
  else node.title = text;
}

function readPart(reader: LineReader, node: CompactNode): void {
  if (reader.take("^")) {
    node.shown.push(reader.name(""));
    return;
  }
  if (reader.take(">")) {
    reader.name("");
    return;
  }
  if (reader.next === "<") {
    readAssignment(reader, node, "");
    return;
  }
  const isQuoted = reader.next === '"';
  const word = reader.name("<=");
  if (reader.next === "<" || reader.next === "=") readAssignment(reader, node, word);
  else if (!isQuoted && modes.includes(word)) node.mode = word as NodeMode;
  else if (isQuoted || word !== "uninstalled")
    throw reader.error(
      `"${word}" is neither input<source, widget=value, bypassed nor muted; text with spaces needs quotes`,
    );
}

function readAssignment(reader: LineReader, node: CompactNode, name: string): void {
  if (reader.take("<")) {
    if (!reader.take("?")) node.links.push(readLink(reader, name));
    return;
  }
  reader.expect("=");
  const value: CompactValue = { name, value: reader.value() };
  if (reader.take("…+")) value.cut = Number(reader.name("("));
  reader.take("(missing)");
  if (reader.next === "(") throw reader.error(`the value of ${name} has brackets and needs quotes`);
  node.values.push(value);
}

function readLink(reader: LineReader, input: string): CompactLink {
  const source = readSource(reader);
  if (!reader.take("(")) return { input, source };
  const remark = reader.until(")");
  const [, via] = /^via (\S+)$/.exec(remark) ?? [];
  if (via === undefined && remark !== "no wire")
    throw reader.error(`"(${remark})" after a source; expected (no wire) or such as (via 3)`);
  return { input, source, unwired: via === undefined ? {} : { via } };
}

function readSource(reader: LineReader): CompactSource {
  const node = reader.name(".()");
  return reader.take(".") ? { node, slot: reader.name("()") } : { node };
}

function readSubgraphHead(reader: LineReader, { likes }: Copies): CompactSubgraph {
  reader.expect("subgraph");
  reader.skipSpace();
  const key = reader.name("");
  reader.skipSpace();
  const name = reader.next === '"' ? reader.quoted() : key;
  const subgraph: CompactSubgraph = { key, name, inputs: [], outputs: [], nodes: [], groups: [] };
  while (!reader.isAtEnd) {
    if (reader.take("in(")) readPorts(reader, () => subgraph.inputs.push(readPort(reader)));
    else if (reader.take("out("))
      readPorts(reader, () => {
        const port = readPort(reader);
        const hasSource = reader.take("<") && !reader.take("?");
        subgraph.outputs.push(hasSource ? { ...port, source: readSource(reader) } : port);
      });
    else if (reader.name("") === "like" && !reader.isAtEnd) likes.set(subgraph, reader.name(""));
  }
  return subgraph;
}

function readPorts(reader: LineReader, read: () => void): void {
  while (!reader.isAtEnd && reader.next !== ")") read();
  reader.expect(")");
}

function readPort(reader: LineReader): CompactPort {
  const name = reader.name('"<:)');
  const label = reader.next === '"' ? reader.quoted() : undefined;
  return {
    name,
    ...(label !== undefined && { label }),
    ...(reader.take(":") && { type: reader.name("<)") }),
  };
}
