/**
 * Nodes that the user is asked about before they run, in every mode, told from the prompts that will be sent.
 *
 * ComfyUI does not say what a node may do. Of types of known packages it stands in `nodeEffects.json`, read out of
 * their sources; of others names and values decide. A node counts
 * - as paid, when its category is that of ComfyUI's API nodes, or when it is given a key of an account;
 * - as running code, when its type, title or category has a word such as Python, shell, eval or script, or when it has
 *   a text input named for code, a command or an expression;
 * - as sending or downloading, when its name has a word such as upload, webhook or download, or that of a service, or
 *   when it is given an address of the network;
 * - as deleting, when it is an output node and its name has a word such as delete;
 * - as writing or reading elsewhere, when one of its texts is an absolute path, one with "..", or comes from another
 *   node under a name such as path or folder.
 *
 * An input goes by its words, however they are written: savePath, "Save Path" and save_path_2 alike. Texts count wherever
 * in the inputs they stand, in lists and objects, too, and addresses also within JSON or arguments. Nodes of packages are held to more than
 * ComfyUI's own, whose files ComfyUI confines: with them a path that does not begin with the output, input or temp
 * folder counts, since many take it relative to ComfyUI's folder. A node is told with each of its reasons.
 *
 * Beyond its own values, a node that shows texts counts where showing them makes the page fetch something.
 *
 * All of it is loaded with the first run.
 */

import type { Comfy, NodeDefinition } from "../../comfy/bridge";

import { fetchedWhenJoined } from "../../graph/fetchedAddresses";
import type { Json, NodeId } from "../../graph/graph";
import { linkedNode, type PromptNode, type PromptNodes, promptTitle, upstreamPart } from "../../graph/prompt";
import { quoted, seen } from "../../shared/quoted";
import { drawsTexts, thisPage } from "../edit/askAboutFetches";
import { textsIn } from "../edit/writtenTexts";
import packages from "./nodeEffects.json";
import { takesText, textSources } from "./textSources";

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
  /** Where that value is a link: the node that it leads to, and the one text that it holds, if it is as plain. */
  source?: { node: NodeId; title: string; text?: string } | undefined;
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
const packageCodeWords = words(
  "evaluate evaluator expression expressions formula lambda jinja jinja2 pickle pycode",
);
const sendWords = words("upload uploader webhook http https ftp sftp smtp email telegram discord ntfy");
const networkWords = words(
  "url urls download downloader request requests fetch civitai huggingface s3 slack gdrive scrape scraper fal replicate runway gemini chatgpt anthropic claude midjourney",
);
const systemWords = words("ssh mqtt websocket git pip install installer restart reboot shutdown kill");
const deleteWords = words("delete remove unlink wipe");
const clearWords = words("clear cleanup clean purge empty prune");
const fileWords = words("file files folder folders directory dir output outputs disk history");
const writeWords = words("save saver write writer export exporter dump");
const codeInputs = /^(?:(?:python|java)?_?(?:code|script)|command|cmd|shell|source_code|function_body)$/i;
const packageCodeInputs =
  /(?:^|_)(?:pycode|code|script|expr|expression|exp|command|cmd|python|javascript|shell|bash|eval)$/i;
const keyInputs = /(?:^|_)(?:api_?key|api_?token|secret_?key|access_?token)$/i;
const addressInputs =
  /(?:^|_)(?:url|uri|endpoint|webhook|host|hostname|server|address|domain|proxy|remote|site|broker|ip|link)s?$/i;
const pathInputs =
  /(?:path|folder|directory)$|(?:^|_|save|out|output|work|base|root|log)dir$|(?:^|_)save_?to$/i;
const outsidePath =
  /^(?:[/\\~]|[a-z]:[/\\]|(?:\$\{?\w+\}?|%\w+%)[/\\])|(?:^|[/\\])\.\.(?:[/\\]|$)|^[a-z][a-z0-9+.-]+:\/\//i;
const fileInputs = /(?:^|_)(?:file|file_?name|filename_prefix|target|destination|dest|save_as)$/i;
const programPath =
  /[/\\][^/\\\n]*\.(?:py|pyc|pyd|so|dll|exe|sh|bash|bat|cmd|ps1|js|mjs|env|ya?ml|toml|ini|cfg)$/i;
const programName = /^[^/\\\s]+\.(?:py|pyc|pyd|so|dll|exe|sh|bash|bat|cmd|ps1|js|mjs|env)$/i;
const endingInputs = /(?:^|_)(?:ext|extension|suffix|ending|format|file_?type)$/i;
const programEnding = /^\.?(?:py|pyc|pyd|so|dll|exe|sh|bash|bat|cmd|ps1|js|mjs|env)$/i;
const comfyFolder =
  /^(?:\.[/\\])?(?:custom_nodes|models|user|web|comfy|comfy_extras|app|api_server|script_examples)[/\\]/i;
const networkAddress = /^\s*(?!file:)[a-z][a-z0-9+.-]+:\/\//i;
/** One that is given within another text, as JSON and arguments of a program give theirs; prose only speaks of some. */
const givenAddress = /["'=]\s*(?!file:)[a-z][a-z0-9+.-]+:\/\//i;
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

/** Of all the prompts, each node once for each value that makes it one, and for each of its reasons. */
export function riskyNodes(comfy: Comfy, ...prompts: readonly PromptNodes[]): RiskyNode[] {
  const found = prompts.flatMap((nodes) =>
    Object.entries(nodes).flatMap(([id, node]): RiskyNode[] => {
      const definition = comfy.nodeDefinition(node.class_type);
      const place = id.split(":");
      const price = () => comfy.node(place.at(-1) ?? "", place.slice(0, -1))?.price;
      const common = {
        node: id,
        title: promptTitle(nodes, id),
        type: node.class_type,
        origin: definition?.origin,
      };
      return [...findingsOf(node, definition), ...drawnBy(comfy, nodes, id)].map((finding) => ({
        ...common,
        price: finding.risk === "is paid" ? price() : undefined,
        ...finding,
        source: sourceOf(nodes, finding.cause?.value),
      }));
    }),
  );
  return [
    ...new Map(found.map((each) => [JSON.stringify([each.node, each.risk, each.cause]), each])).values(),
  ];
}

/** Our words, with what the workflow says quoted and without characters that are not seen. */
export function riskWords({ node, title, type, origin, risk, price, cause, source }: RiskyNode): string {
  const kind = [...(title === type ? [] : [seen(type)]), ...(origin ? [`from ${seen(origin)}`] : [])].join(
    " ",
  );
  const value = cause && `: ${seen(cause.input)} ${source ? sourceWords(source) : quoted(cause.value)}`;
  return `Node ${node} “${seen(title)}”${kind && ` (${kind})`} ${risk}${price ? `: ${price}` : (value ?? "")}.`;
}

function sourceOf(nodes: PromptNodes, value: Json | undefined): RiskyNode["source"] {
  const node = linkedNode(value);
  if (node === undefined) return undefined;
  const held = Object.values(nodes[node]?.inputs ?? {});
  const [text, ...others] = held.flatMap(textsIn);
  const isPlain =
    text !== undefined && others.length === 0 && held.every((each) => linkedNode(each) === undefined);
  return { node, title: promptTitle(nodes, node), ...(isPlain && { text }) };
}

function sourceWords({ node, title, text }: NonNullable<RiskyNode["source"]>): string {
  const from = `comes from node ${node} “${seen(title)}”`;
  return text === undefined ? from : `${from}, which holds ${quoted(text)} (${text.length} characters)`;
}

function findingsOf(node: PromptNode, definition: NodeDefinition | undefined): Finding[] {
  if (needsAccount(definition)) return [{ risk: "is paid" }];
  const texts = Object.entries(node.inputs).flatMap(([name, value]) => textsOf(definition, name, value));
  const names = [node.class_type, definition?.title ?? ""].flatMap(wordsOf);
  const all = [...names, ...wordsOf(definition?.category ?? "")];
  const isForeign = definition === undefined || definition.origin !== undefined;
  const has = (known: ReadonlySet<string>, own: readonly string[] = names) =>
    own.some((word) => known.has(word));
  const causes = (risk: Risk, test: (input: string, value: Json) => boolean): Finding[] =>
    texts.filter(({ input, value }) => value !== "" && test(input, value)).map((cause) => ({ risk, cause }));
  /** Each value that makes it one, or else the risk alone, where the node counts whatever its values. */
  const told = (risk: Risk, isOne: boolean, found: readonly Finding[]): Finding[] =>
    isOne && found.length === 0 ? [{ risk }] : [...found];

  const writes = definition?.isOutput || (isForeign && has(writeWords));
  const elsewhere = writes ? "writes outside the output folder" : "reads outside ComfyUI's folders";
  const paths = causes(elsewhere, (input, value) => leavesOutput(input, value, isForeign, writes ?? false));
  const code = causes(
    "runs code",
    (input) => isNamed(input, codeInputs) || (isForeign && isNamed(input, packageCodeInputs)),
  );
  const addresses = causes(
    "uses the network",
    (input, value) => isNamed(input, addressInputs) || isAddress(value) || givesAddress(value),
  );

  if (!isForeign)
    return [
      ...told("runs code", has(codeWords, all), code),
      ...told("deletes or sends", sendsOrDeletes(), []),
      ...(writes ? paths : []),
    ];

  const risk = knownRisks.get(node.class_type);
  const known = knownPaths.get(node.class_type);
  const ofTable = [
    ...(risk
      ? told(
          risk,
          true,
          causes(risk, (input, value) => tellsWhat(risk, input, value)),
        )
      : []),
    ...(known ? causes(known.risk, (input, value) => known.inputs.includes(input) && leaves(value)) : []),
  ];
  if (ofTable.length > 0) return once([...ofTable, ...addresses, ...paths]);
  return once([
    ...told("runs code", has(codeWords, all) || has(packageCodeWords), code),
    ...told("deletes or sends", sendsOrDeletes(), []),
    // A key is not shown.
    ...causes("is paid", (input) => isNamed(input, keyInputs)).map(({ risk: paid }) => ({ risk: paid })),
    ...told("uses the network", has(networkWords) || /openai/i.test(node.class_type), addresses),
    ...paths,
  ]);

  function sendsOrDeletes(): boolean {
    const clears = has(deleteWords) || (isForeign && has(clearWords) && has(fileWords));
    const isOfFiles = isForeign && has(deleteWords) && has(fileWords);
    const deletes = isOfFiles || ((definition?.isOutput ?? false) && clears);
    return has(sendWords) || (isForeign && has(systemWords)) || deletes;
  }
}

/** What the page fetches to show the texts that the run brings to this node. */
function drawnBy(comfy: Comfy, nodes: PromptNodes, id: NodeId): Finding[] {
  const node = nodes[id];
  if (!node || !drawsTexts(comfy, node.class_type)) return [];
  const definition = comfy.nodeDefinition(node.class_type);
  if (definition && !definition.isOutput) return [];
  const part = { ...upstreamPart(nodes, textSources(node, definition)), [id]: node };
  const texts = Object.values(part).flatMap(({ inputs }) =>
    Object.values(inputs).flatMap((value) => (linkedNode(value) === undefined ? textsIn(value) : [])),
  );
  return fetchedWhenJoined(texts, thisPage()).map(({ href }) => ({
    risk: "uses the network",
    cause: { input: "shows", value: href },
  }));
}

/** One value may be told for one reason only, the first. */
function once(findings: readonly Finding[]): Finding[] {
  const keys = findings.map(({ risk, cause }) => (cause ? JSON.stringify(cause) : risk));
  return findings.filter((_, index) => keys.indexOf(keys[index] as string) === index);
}

/** Paid from the user's ComfyUI account, which goes along only with a run of the graph as it is. */
export function needsAccount(definition: NodeDefinition | undefined): boolean {
  return /^api node\b/i.test(definition?.category ?? "");
}

/** The value that says what will happen. */
function tellsWhat(risk: Risk, name: string, value: Json): boolean {
  if (risk === "runs code") return isNamed(name, codeInputs) || isNamed(name, packageCodeInputs);
  if (risk === "deletes or sends") return isNamed(name, pathInputs);
  return isNamed(name, addressInputs) || (typeof value === "string" && networkAddress.test(value));
}

/** A path that is not known to lie in the output, input or temp folder; one that another node makes is not known. */
function leaves(value: Json): boolean {
  if (typeof value !== "string") return true;
  const path = value.trim();
  return path !== "" && !networkAddress.test(path) && !(ownFolder.test(path) && !outsidePath.test(path));
}

/**
 * A path by its input's name, or by its look: nodes of packages take it relative to ComfyUI's folder, so those count,
 * too, that end like a program or, where something is written, are a program's name or its ending, or begin with one of
 * ComfyUI's own folders.
 */
function leavesOutput(name: string, value: Json, isForeign: boolean, writes: boolean): boolean {
  if (typeof value !== "string") return isNamed(name, pathInputs);
  const path = value.trim();
  if (isAddress(value)) return false;
  if (outsidePath.test(path)) return true;
  if (!isForeign || path === "" || ownFolder.test(path)) return false;
  if (isNamed(name, pathInputs) || programPath.test(path)) return true;
  if (!writes) return false;
  if (programName.test(path) || (isNamed(name, endingInputs) && programEnding.test(path))) return true;
  return isNamed(name, fileInputs) && comfyFolder.test(path);
}

function isAddress(value: Json): boolean {
  return typeof value === "string" && value.split("\n").some((line) => networkAddress.test(line));
}

function givesAddress(value: Json): boolean {
  return typeof value === "string" && givenAddress.test(value);
}

/** "savePath", "Save Path" and "save_path_2" alike. */
function isNamed(input: string, names: RegExp): boolean {
  const plain = wordsOf(input)
    .join("_")
    .replace(/[_\d]+$/, "");
  return names.test(input) || names.test(plain);
}

/** Written texts, also those within a list or an object, and links that bring one. */
function textsOf(
  definition: NodeDefinition | undefined,
  input: string,
  value: Json,
): { input: string; value: Json }[] {
  if (typeof value === "string") return [{ input, value }];
  if (linkedNode(value) !== undefined) return takesText(definition, input) ? [{ input, value }] : [];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, each]) =>
    textsOf(undefined, Array.isArray(value) || name === "__value__" ? input : name, each),
  );
}

/** "RunPythonScript", "run_python" and "Run python" alike. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
