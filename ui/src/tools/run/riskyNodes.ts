/**
 * Nodes that the user is asked about before they run, in every mode, told from the prompts that will be sent.
 *
 * ComfyUI does not say what a node may do. Of types of known packages it stands in `nodeEffects.json`, read out of
 * their sources; of others names and values decide. A node counts
 * - as paid, when its category is that of ComfyUI's API nodes, or when it is given a key of an account;
 * - as running code, when its type, title or category has a word such as Python, shell, eval or script, or when it has
 *   a text input named for code, a command or an expression;
 * - as sending or downloading, when its name has a word such as upload, webhook or download, or when it is given an
 *   address of the network;
 * - as deleting, when it is an output node and its name has a word such as delete;
 * - as writing or reading elsewhere, when one of its texts is an absolute path, one with "..", or comes from another
 *   node under a name such as path or folder.
 *
 * Nodes of packages are held to more than ComfyUI's own, whose files ComfyUI confines: with them a path that does not
 * begin with the output, input or temp folder counts, since many take it relative to ComfyUI's folder.
 *
 * All of it is loaded with the first run.
 */

import type { Comfy, NodeDefinition } from "../../comfy/bridge";
import type { Json, NodeId } from "../../graph/graph";
import { linkedNode, type PromptNode, type PromptNodes, promptTitle } from "../../graph/prompt";
import { cut } from "../../shared/cut";
import packages from "./nodeEffects.json";

export type Risk =
  | "runs code"
  | "writes outside the output folder"
  | "reads outside ComfyUI's folders"
  | "deletes or sends"
  | "uses the network"
  | "may download a model"
  | "is paid"
  | "was changed after text by others was read";

export interface RiskyNode {
  node: NodeId;
  title: string;
  type: string;
  /** The package that brings it; none for ComfyUI's own. */
  origin?: string | undefined;
  risk: Risk;
  price?: string | undefined;
  /** The value that makes it one. */
  cause?: { input: string; value: Json } | undefined;
}

/** What the types of one package do; of those that write or read, the inputs that name a path. */
interface PackageEffects {
  source: string;
  code?: string[];
  paid?: string[];
  network?: string[];
  downloads?: string[];
  deletes?: string[];
  writes?: Record<string, string[]>;
  reads?: Record<string, string[]>;
}

interface Finding {
  risk: Risk;
  cause?: RiskyNode["cause"];
}

const words = (text: string) => new Set(text.split(" "));
const codeWords = words(
  "python javascript lua bash shell powershell cmd terminal subprocess eval exec execute executor script scripts interpreter repl",
);
const packageCodeWords = words("evaluate evaluator expression expressions pycode");
const sendWords = words("upload uploader webhook http https ftp sftp smtp email telegram discord");
const networkWords = words(
  "url urls download downloader request requests fetch civitai huggingface s3 slack gdrive scrape scraper",
);
const deleteWords = words("delete remove unlink");
const writeWords = words("save saver write writer export exporter dump");
const codeInputs = /^(?:(?:python|java)?_?(?:code|script)|command|cmd|shell|source_code|function_body)$/i;
const packageCodeInputs = /(?:^|_)(?:pycode|code|script|expr|expression|exp)$/i;
const keyInputs = /(?:^|_)(?:api_?key|api_?token|secret_?key|access_?token)$/i;
const addressInputs = /(?:^|_)(?:url|uri|endpoint|webhook)s?$/i;
const pathInputs =
  /(?:^|_)(?:path|folder|directory|dir|file_?path|save_?to|output_?(?:path|folder|dir(?:ectory)?))$/i;
const outsidePath = /^(?:[/\\~]|[a-z]:[/\\])|(?:^|[/\\])\.\.(?:[/\\]|$)|^[a-z][a-z0-9+.-]+:\/\//i;
const networkAddress = /^\s*(?!file:)[a-z][a-z0-9+.-]+:\/\//i;
const ownFolder = /^(?:\.[/\\])?(?:output|input|temp)(?:[/\\]|$)/i;

const known = packages as readonly PackageEffects[];
const knownRisks = new Map<string, Risk>(
  known.flatMap(({ code = [], paid = [], network = [], downloads = [], deletes = [] }) => [
    ...code.map((type) => [type, "runs code"] as const),
    ...paid.map((type) => [type, "is paid"] as const),
    ...network.map((type) => [type, "uses the network"] as const),
    ...downloads.map((type) => [type, "may download a model"] as const),
    ...deletes.map((type) => [type, "deletes or sends"] as const),
  ]),
);
const knownPaths = new Map<string, { risk: Risk; inputs: readonly string[] }>(
  known.flatMap(({ writes = {}, reads = {} }) => [
    ...Object.entries(reads).map(
      ([type, inputs]) => [type, { risk: "reads outside ComfyUI's folders", inputs }] as const,
    ),
    ...Object.entries(writes).map(
      ([type, inputs]) => [type, { risk: "writes outside the output folder", inputs }] as const,
    ),
  ]),
);

/** How many types the table has. */
export const knownTypes: ReadonlySet<string> = new Set([...knownRisks.keys(), ...knownPaths.keys()]);

/** What may be allowed for a whole chat: neither code nor money nor what is gone afterwards. */
const lasting: ReadonlySet<Risk> = new Set<Risk>([
  "uses the network",
  "may download a model",
  "reads outside ComfyUI's folders",
  "writes outside the output folder",
]);

/** Names exactly these nodes with exactly these values; undefined where each time is a matter of its own. */
export function sameRisks(risky: readonly RiskyNode[]): string | undefined {
  if (!risky.every(({ risk }) => lasting.has(risk))) return undefined;
  return JSON.stringify(risky.map(({ node, type, risk, cause }) => [node, type, risk, cause]));
}

/** Of all the prompts, each node once for each value that makes it one. */
export function riskyNodes(comfy: Comfy, ...prompts: readonly PromptNodes[]): RiskyNode[] {
  const found = prompts.flatMap((nodes) =>
    Object.entries(nodes).flatMap(([id, node]): RiskyNode[] => {
      const definition = comfy.nodeDefinition(node.class_type);
      const finding = findingOf(node, definition);
      if (finding === undefined) return [];
      const place = id.split(":");
      const price = finding.risk === "is paid" ? comfy.node(place.pop() ?? "", place)?.price : undefined;
      const origin = definition?.origin;
      return [{ node: id, title: promptTitle(nodes, id), type: node.class_type, origin, price, ...finding }];
    }),
  );
  return [...new Map(found.map((each) => [JSON.stringify([each.node, each.cause]), each])).values()];
}

/** Our words, with what the workflow says quoted and without characters that are not seen. */
export function riskWords({ node, title, type, origin, risk, price, cause }: RiskyNode): string {
  const kind = [...(title === type ? [] : [seen(type)]), ...(origin ? [`from ${seen(origin)}`] : [])].join(
    " ",
  );
  const value =
    cause &&
    `: ${seen(cause.input)} ${linkedNode(cause.value) === undefined ? quoted(cause.value) : "comes from another node"}`;
  return `Node ${node} “${seen(title)}”${kind && ` (${kind})`} ${risk}${price ? `: ${price}` : (value ?? "")}.`;
}

function findingOf(node: PromptNode, definition: NodeDefinition | undefined): Finding | undefined {
  const inputs = Object.entries(node.inputs);
  const texts = inputs.filter(([name, value]) => isText(definition, name, value));
  const names = [node.class_type, definition?.title ?? ""].flatMap(wordsOf);
  const all = [...names, ...wordsOf(definition?.category ?? "")];
  const isForeign = definition === undefined || definition.origin !== undefined;
  const has = (known: ReadonlySet<string>, own: readonly string[] = names) =>
    own.some((word) => known.has(word));
  const cause = (test: (name: string, value: Json) => boolean): RiskyNode["cause"] => {
    const [input, value] = texts.find(([name, text]) => text !== "" && test(name, text)) ?? [];
    return input === undefined || value === undefined ? undefined : { input, value };
  };

  if (needsAccount(definition)) return { risk: "is paid" };
  if (isForeign) {
    const risk = knownRisks.get(node.class_type);
    if (risk) return { risk, cause: cause((name, value) => tellsWhat(risk, name, value)) };
    const paths = knownPaths.get(node.class_type);
    const path = cause((name, value) => (paths?.inputs.includes(name) ?? false) && leaves(value));
    if (paths && path) return { risk: paths.risk, cause: path };
  }
  const code = cause((name) => codeInputs.test(name) || (isForeign && packageCodeInputs.test(name)));
  if (code || has(codeWords, all) || (isForeign && has(packageCodeWords)))
    return { risk: "runs code", cause: code };
  if (has(sendWords)) return { risk: "deletes or sends" };
  if (definition?.isOutput && has(deleteWords)) return { risk: "deletes or sends" };
  const writes = definition?.isOutput || (isForeign && has(writeWords));
  const path = cause((name, value) => leavesOutput(name, value, isForeign));
  if (!isForeign)
    return writes && path ? { risk: "writes outside the output folder", cause: path } : undefined;

  const key = cause((name) => keyInputs.test(name));
  // A key is not shown.
  if (key) return { risk: "is paid" };
  const address = cause(
    (name, value) => addressInputs.test(name) || (typeof value === "string" && networkAddress.test(value)),
  );
  if (address || has(networkWords)) return { risk: "uses the network", cause: address };
  if (path)
    return {
      risk: writes ? "writes outside the output folder" : "reads outside ComfyUI's folders",
      cause: path,
    };
  return undefined;
}

/** Paid from the user's ComfyUI account, which goes along only with a run of the graph as it is. */
export function needsAccount(definition: NodeDefinition | undefined): boolean {
  return /^api node\b/i.test(definition?.category ?? "");
}

/** The value that says what will happen. */
function tellsWhat(risk: Risk, name: string, value: Json): boolean {
  if (risk === "runs code") return codeInputs.test(name) || packageCodeInputs.test(name);
  if (risk === "deletes or sends") return pathInputs.test(name);
  return addressInputs.test(name) || (typeof value === "string" && networkAddress.test(value));
}

/** A path that is not known to lie in the output, input or temp folder; one that another node makes is not known. */
function leaves(value: Json): boolean {
  if (typeof value !== "string") return true;
  const path = value.trim();
  return path !== "" && !networkAddress.test(path) && !(ownFolder.test(path) && !outsidePath.test(path));
}

function leavesOutput(name: string, value: Json, isForeign: boolean): boolean {
  if (typeof value !== "string") return pathInputs.test(name);
  const path = value.trim();
  if (outsidePath.test(path)) return true;
  return isForeign && pathInputs.test(name) && path !== "" && !ownFolder.test(path);
}

/** A written text, or a link that brings one. */
function isText(definition: NodeDefinition | undefined, name: string, value: Json): boolean {
  if (typeof value === "string") return true;
  if (linkedNode(value) === undefined) return false;
  return definition?.inputs.find((input) => input.name === name)?.widget === "text";
}

/** "RunPythonScript", "run_python" and "Run python" alike. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

function quoted(value: Json): string {
  return JSON.stringify(cut(String(value), 200)).replaceAll(/\p{C}/gu, "�");
}

function seen(text: string): string {
  return cut(text, 80).replaceAll(/[\p{C}“”"]/gu, "�");
}
