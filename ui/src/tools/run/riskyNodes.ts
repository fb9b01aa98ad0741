/**
 * Nodes that the user is asked about before they run, in every mode, told from the prompts that will be sent.
 *
 * ComfyUI does not say what a node may do. A node counts
 * - as paid, when ComfyUI's server says so of its type;
 * - as acting, when its type stands in `nodeEffects.json`, read out of the packages' sources, or a word of its names says
 *   that it runs code, sends, downloads or deletes;
 * - as naming a way out, when a text that a package's node is given shows a path that is absolute or goes up, or an
 *   address; of ComfyUI's own nodes, the files that they are given;
 * - as fetching, when a text that it shows makes the page ask another server.
 *
 * What else a package's node may do is its package's question (`newPackages.ts`). All of it is loaded with the first run.
 */

import type { Comfy, NodeDefinition } from "../../comfy/bridge";
import { inputNamed } from "../../comfy/inputsInForce";
import { fetchedWhenJoined } from "../../graph/fetchedAddresses";
import type { Json, NodeId } from "../../graph/graph";
import { linkedNode, type PromptNodes, promptTitle, upstreamPart } from "../../graph/prompt";
import { quoted, seen, seenId } from "../../shared/quoted";
import { drawsTexts, thisPage } from "../edit/askAboutFetches";
import { textsIn } from "../edit/writtenTexts";
import { namesFile, wordsAndPairsOf } from "./inputNames";
import packages from "./nodeEffects.json";
import { takesText, textSources } from "./textSources";
import { leavesOwnFolders, namesAddress, namesPlace } from "./waysOut";

export type Risk =
  | "runs code"
  | "writes outside the output folder"
  | "reads outside ComfyUI's folders"
  | "deletes or sends"
  | "uses the network"
  | "may download a model"
  | "names an address"
  | "names a place on the disk"
  | "is paid"
  | "is of a new package";

export interface RiskyNode {
  node: NodeId;
  title: string;
  type: string;
  /** The package that brings it; none for ComfyUI's own. */
  origin?: string | undefined;
  risk: Risk;
  price?: string | undefined;
  /** The text that makes it one, or says what it will do. */
  cause?: { input: string; value: string } | undefined;
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

type Finding = Pick<RiskyNode, "risk" | "cause">;

/** A text that a node is given, and the input that takes it. */
interface GivenText {
  input: string;
  value: string;
}

const words = (text: string) => new Set(text.split(" "));
const codeWords = words(
  "python javascript lua bash shell powershell cmd terminal subprocess eval exec execute executor script scripts interpreter repl",
);
const packageCodeWords = words(
  "evaluate evaluator expression expressions formula lambda jinja jinja2 pickle pycode sql sqlite",
);
const sendWords = words("upload uploader webhook http https ftp sftp smtp email telegram discord ntfy");
const networkWords = words(
  [
    "url urls download downloader request requests fetch api apis scrape scraper translate translator",
    "civitai huggingface hfhub hfmodel hftoken hfdataset hfdownload hfremote fromhf loadremote toremote fromremote remotevae remoteclip encoderemote remoteapi remotequeue modelscope unsplash pexels pixabay",
    "openai chatgpt gptimage dalle anthropic claude gemini google googleai vertexai nanobanana veo midjourney ollama",
    "openrouter elevenlabs grok groq xai cohere perplexity mistralai stabilityai deepseek moonshot zhipu dashscope",
    "siliconflow siliconcloud volcengine doubao jimeng seedance kling hailuo vidu suno lumaai runway runware wavespeed",
    "fal replicate bedrock aws azure lmstudio oobabooga deepl deeplx baidu edgetts gtts tavily serper serpapi duckduckgo",
    "s3 minio gdrive onedrive dropbox webdav imgur imgbb catbox slack notion airtable supabase firebase immich youtube",
    "mysql postgres mongo mongodb redis rabbitmq kafka rpc grpc zmq tcp udp socket sockets rtsp rtmp webrtc ndi osc",
  ].join(" "),
);
const systemWords = words(
  "send publish ssh mqtt websocket whatsapp twilio feishu wechat dingtalk git pip install installer restart reboot shutdown kill",
);
const deleteWords = words("delete remove unlink wipe");
const clearWords = words("clear cleanup clean purge empty prune");
const fileWords = words("file files folder folders directory dir output outputs disk history");
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

/** Of all the prompts, each node once for each of its reasons and for each text that is one. */
export function riskyNodes(comfy: Comfy, prompts: readonly PromptNodes[]): RiskyNode[] {
  const found = prompts.flatMap((nodes) =>
    Object.entries(nodes).flatMap(([id, { class_type: type }]): RiskyNode[] => {
      const definition = comfy.nodeDefinition(type);
      const place = id.split(":");
      const price = () => comfy.node(place.at(-1) ?? "", place.slice(0, -1))?.price;
      const common = { node: id, title: promptTitle(nodes, id), type, origin: definition?.origin };
      return findingsOf(comfy, nodes, id).map((finding) => ({
        ...common,
        price: finding.risk === "is paid" ? price() : undefined,
        ...finding,
      }));
    }),
  );
  return [
    ...new Map(found.map((each) => [JSON.stringify([each.node, each.risk, each.cause]), each])).values(),
  ];
}

/** Our words, with what the workflow says quoted and without characters that are not seen. */
export function riskWords({ node, title, type, origin, risk, price, cause }: RiskyNode): string {
  const kind = [...(title === type ? [] : [seen(type)]), ...(origin ? [`from ${seen(origin)}`] : [])].join(
    " ",
  );
  const value = cause && `: ${seen(cause.input)} ${quoted(cause.value)}`;
  return `Node ${seenId(node)} “${seen(title)}”${kind && ` (${kind})`} ${risk}${price ? `: ${seen(price)}` : (value ?? "")}.`;
}

function findingsOf(comfy: Comfy, nodes: PromptNodes, id: NodeId): Finding[] {
  const node = nodes[id];
  if (!node) return [];
  const definition = comfy.nodeDefinition(node.class_type);
  const isForeign = definition === undefined || definition.origin !== undefined;
  const texts = isForeign ? textsGiven(comfy, nodes, id) : [];
  const acts = actsOf(node.class_type, definition, isForeign);
  const places = knownPlaces(node.class_type, node.inputs, isForeign);
  const isTold = ({ input, value }: GivenText) =>
    places.some(({ cause }) => cause?.input === input && cause.value === value);
  return [
    ...(needsAccount(definition) ? [{ risk: "is paid" } as const] : []),
    ...(acts ? [{ risk: acts, cause: tellingText(acts, texts) }] : []),
    ...places,
    ...(isForeign ? texts.filter((text) => !isTold(text)).flatMap(waysOut) : coreFiles(node.inputs)),
    ...drawnBy(comfy, nodes, id),
  ];
}

/** What its type does, by the table or by its names. */
function actsOf(type: string, definition: NodeDefinition | undefined, isForeign: boolean): Risk | undefined {
  const listed = isForeign ? knownRisks.get(type) : undefined;
  if (listed) return listed;
  const names = [type, definition?.title ?? ""].flatMap(wordsAndPairsOf);
  const all = [...names, ...wordsAndPairsOf(definition?.category ?? "")];
  const has = (known: ReadonlySet<string>, own: readonly string[] = names) =>
    own.some((word) => known.has(word));
  if (has(codeWords, all) || (isForeign && has(packageCodeWords))) return "runs code";
  const isOfFiles = has(fileWords);
  const clears = has(deleteWords) || (isForeign && has(clearWords) && isOfFiles);
  const deletes = (definition?.isOutput && clears) || (isForeign && has(deleteWords) && isOfFiles);
  if (deletes || has(sendWords) || (isForeign && has(systemWords))) return "deletes or sends";
  return isForeign && (has(networkWords) || /openai/i.test(type)) ? "uses the network" : undefined;
}

/** Of types of the table that write or read where an input says: a path that may lead elsewhere, or that a link brings. */
function knownPlaces(type: string, inputs: Record<string, Json>, isForeign: boolean): Finding[] {
  const known = isForeign ? knownPaths.get(type) : undefined;
  return (known?.inputs ?? []).flatMap((input): Finding[] => {
    const value = inputs[input];
    if (linkedNode(value) !== undefined) return known ? [{ risk: known.risk }] : [];
    const isOut = typeof value === "string" && leavesOwnFolders(value);
    return known && isOut ? [{ risk: known.risk, cause: { input, value } }] : [];
  });
}

function waysOut(text: GivenText): Finding[] {
  if (namesAddress(text.value)) return [{ risk: "names an address", cause: text }];
  return namesPlace(text.value) ? [{ risk: "names a place on the disk", cause: text }] : [];
}

/** ComfyUI joins such a name to its folder, wherever that leads. */
function coreFiles(inputs: Record<string, Json>): Finding[] {
  return Object.entries(inputs).flatMap(([input, value]) =>
    namesFile(input) && typeof value === "string" && namesPlace(value)
      ? [{ risk: "names a place on the disk" as const, cause: { input, value } }]
      : [],
  );
}

/** Of what acts, the text that says how: the code, or where to. */
function tellingText(risk: Risk, texts: readonly GivenText[]): GivenText | undefined {
  if (risk === "runs code") return texts.toSorted((a, b) => b.value.length - a.value.length)[0];
  return risk === "deletes or sends"
    ? texts.find(({ value }) => namesAddress(value) || namesPlace(value))
    : undefined;
}

/** Written ones, however deep they stand, and those that links bring, through all nodes that make a text of others. */
function textsGiven(comfy: Comfy, nodes: PromptNodes, id: NodeId): GivenText[] {
  const definition = comfy.nodeDefinition(nodes[id]?.class_type ?? "");
  return Object.entries(nodes[id]?.inputs ?? {}).flatMap(([input, value]) => {
    const isChoice = definition && inputNamed(definition, input)?.choices?.some((choice) => choice === value);
    if (isChoice) return [];
    const source = linkedNode(value);
    const texts =
      source === undefined
        ? textsIn(value)
        : takesText(definition, input)
          ? textsBehind(comfy, nodes, source)
          : [];
    return texts.map((text) => ({ input, value: text }));
  });
}

function textsBehind(comfy: Comfy, nodes: PromptNodes, source: NodeId): string[] {
  const behind = new Set([source]);
  for (const id of behind) {
    const node = nodes[id];
    if (node) for (const each of textSources(node, comfy.nodeDefinition(node.class_type))) behind.add(each);
  }
  return [...behind].flatMap((id) =>
    Object.values(nodes[id]?.inputs ?? {}).flatMap((value) =>
      linkedNode(value) === undefined ? textsIn(value) : [],
    ),
  );
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
    risk: "names an address",
    cause: { input: "shows", value: href },
  }));
}

/** Paid from the user's ComfyUI account, which goes along only with a run of the graph as it is. */
export function needsAccount(definition: NodeDefinition | undefined): boolean {
  return definition?.isPaid ?? false;
}
