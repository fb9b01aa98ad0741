/**
 * Nodes that the user is asked about before they run, in every mode, told from the prompts that will be sent.
 *
 * ComfyUI does not say what a node may do. Of types of known packages it stands in `nodeEffects.json`, read out of
 * their sources; of others names and values decide. A node counts
 * - as paid, when ComfyUI's server says so of its type, or when it is given a key of an account;
 * - as running code, when its type, title or category has a word such as Python, shell, eval or script, or when it has
 *   a text input named for code, a command or an expression;
 * - as sending or downloading, when its name has a word such as upload, webhook or download, or that of a service, or
 *   when it is given an address of the network, or what lets somebody in;
 * - as deleting, when it is an output node and its name has a word such as delete;
 * - as writing or reading elsewhere, when one of its texts is an absolute path, one with "..", or comes from another
 *   node under a name such as path or folder.
 *
 * What an input is called stands in `inputNames.ts`, how a value looks in `valueLooks.ts`, which texts a node is given in
 * `promptTexts.ts`, and what is switched on in `switchedOn.ts`. Nodes of packages are held to more than ComfyUI's own:
 * with them a path that does not begin with the output, input or temp folder counts, since many take it relative to
 * ComfyUI's folder. A node is told with each of its reasons.
 *
 * Beyond its own values, a node that shows texts counts where showing them makes the page fetch something.
 *
 * All of it is loaded with the first run.
 */

import type { Comfy, NodeDefinition } from "../../comfy/bridge";
import { inputNamed } from "../../comfy/inputsInForce";

import { fetchedWhenJoined } from "../../graph/fetchedAddresses";
import type { Json, NodeId } from "../../graph/graph";
import { linkedNode, type PromptNodes, promptTitle, upstreamPart } from "../../graph/prompt";
import { quoted, seen, seenId } from "../../shared/quoted";
import { drawsTexts, thisPage } from "../edit/askAboutFetches";
import { textsIn } from "../edit/writtenTexts";
import { looksLikeCode, looksLikeKey } from "./codeLooks";
import {
  addressInputs,
  codeInputs,
  isNamed,
  keyInputs,
  loginInputs,
  namesFile,
  packageCodeInputs,
  pathInputs,
  programInputs,
  serviceInputs,
  wordsAndPairsOf,
} from "./inputNames";
import packages from "./nodeEffects.json";
import { givenTexts } from "./promptTexts";
import { isDefault, switchedOn } from "./switchedOn";
import { textForms } from "./textForms";
import { encodesTexts, textSources } from "./textSources";
import {
  isAddress,
  isLooseAddress,
  isProse,
  leaves,
  leavesInput,
  leavesOutput,
  namesHost,
  namesHubModel,
  namesService,
  pathsIn,
  unpickles,
} from "./valueLooks";

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

export interface Finding {
  risk: Risk;
  cause?: RiskyNode["cause"];
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
const writeWords = words(
  "save saver write writer export exporter dump append log logger store backup copy move rename archive extract unzip mkdir disk",
);
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

/**
 * Of all the prompts, each node once for each value that makes it one, and for each of its reasons. `linked` are the
 * names of files that a link leads elsewhere.
 */
export function riskyNodes(
  comfy: Comfy,
  prompts: readonly PromptNodes[],
  linked: ReadonlySet<string> = new Set(),
): RiskyNode[] {
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
      const findings: Finding[] = [
        ...(needsAccount(definition) ? [{ risk: "is paid" } as const] : []),
        ...findingsOf(comfy, nodes, id, linked),
        ...drawnBy(comfy, nodes, id),
      ];
      return findings.map((finding) => ({
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
  return `Node ${seenId(node)} “${seen(title)}”${kind && ` (${kind})`} ${risk}${price ? `: ${seen(price)}` : (value ?? "")}.`;
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
  const from = `comes from node ${seenId(node)} “${seen(title)}”`;
  return text === undefined ? from : `${from}, which holds ${quoted(text)} (${text.length} characters)`;
}

function findingsOf(comfy: Comfy, nodes: PromptNodes, id: NodeId, linked: ReadonlySet<string>): Finding[] {
  const node = nodes[id];
  if (!node) return [];
  const definition = comfy.nodeDefinition(node.class_type);
  const given = givenTexts(comfy, nodes, id);
  const names = [node.class_type, definition?.title ?? ""].flatMap(wordsAndPairsOf);
  const all = [...names, ...wordsAndPairsOf(definition?.category ?? "")];
  const isForeign = definition === undefined || definition.origin !== undefined;
  const has = (known: ReadonlySet<string>, own: readonly string[] = names) =>
    own.some((word) => known.has(word));
  const causes = (risk: Risk, test: (input: string, value: Json) => boolean): Finding[] =>
    given
      .filter(({ input, value, texts }) => {
        const brought = isForeign || namesFile(input) ? texts : [];
        const forms = (each: Json) => (isForeign && typeof each === "string" ? textForms(each) : [each]);
        return value !== "" && [value, ...brought].flatMap(forms).some((each) => test(input, each));
      })
      .map(({ input, value }) => ({ risk, cause: { input, value } }));
  /** Each value that makes it one, or else the risk alone, where the node counts whatever its values. */
  const told = (risk: Risk, isOne: boolean, found: readonly Finding[]): Finding[] =>
    isOne && found.length === 0 ? [{ risk }] : [...found];

  const writes = definition?.isOutput || (isForeign && has(writeWords));
  const elsewhere = writes ? "writes outside the output folder" : "reads outside ComfyUI's folders";
  const isChoice = (input: string, value: Json) =>
    (definition && inputNamed(definition, input))?.choices?.some((choice) => choice === value) ?? false;
  const isLinked = (value: Json) =>
    typeof value === "string" && pathsIn(value).some((path) => linked.has(path));
  const paths = causes(
    elsewhere,
    (input, value) =>
      (isForeign && isLinked(value)) ||
      leavesOutput(input, value, {
        isForeign,
        writes: writes ?? false,
        isChoice: isChoice(input, value),
      }),
  );
  const code = causes(
    "runs code",
    (input, value) =>
      isNamed(input, codeInputs) ||
      (isForeign &&
        (isNamed(input, packageCodeInputs) ||
          looksLikeCode(value) ||
          (isNamed(input, programInputs) && !isDefault(definition, input, value)) ||
          (!writes && !isChoice(input, value) && unpickles(input, value)))),
  );
  const isEncoder = encodesTexts(definition);
  /** Inputs whose text only speaks of addresses, on its way to a model. */
  const spoken = given.filter(({ value, texts }) => isEncoder && [value, ...texts].some(isProse));
  const addresses = causes(
    "uses the network",
    (input, value) =>
      isNamed(input, addressInputs) ||
      isNamed(input, serviceInputs) ||
      namesService(input, value) ||
      namesHost(input, value) ||
      ((isAddress(value) || isLooseAddress(value)) && !spoken.some((each) => each.input === input)),
  );
  const logins = causes(
    "uses the network",
    (input, value) => isNamed(input, loginInputs) && !isDefault(definition, input, value),
  );
  const hubs = causes("may download a model", namesHubModel);

  if (!isForeign)
    return [
      ...told("runs code", has(codeWords, all), code),
      ...told("deletes or sends", sendsOrDeletes(), []),
      ...(writes
        ? paths
        : causes(
            elsewhere,
            (input, value) => leavesInput(input, value) || (namesFile(input) && isLinked(value)),
          )),
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
  const switches = switchedOn(node.inputs, definition);
  if (ofTable.length > 0) return once([...ofTable, ...addresses, ...paths, ...switches]);
  return once([
    ...told("runs code", has(codeWords, all) || has(packageCodeWords), code),
    ...told("deletes or sends", sendsOrDeletes(), []),
    // Neither keys nor passwords are shown.
    ...causes("is paid", (input, value) => isNamed(input, keyInputs) || looksLikeKey(value)).map(
      ({ risk: paid }) => ({ risk: paid }),
    ),
    ...told(
      "uses the network",
      has(networkWords) || /openai/i.test(node.class_type) || logins.length > 0,
      addresses,
    ),
    ...paths,
    ...hubs,
    ...switches,
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
  return definition?.isPaid ?? false;
}

/** The value that says what will happen. */
function tellsWhat(risk: Risk, name: string, value: Json): boolean {
  if (risk === "runs code") return isNamed(name, codeInputs) || isNamed(name, packageCodeInputs);
  if (risk === "deletes or sends") return isNamed(name, pathInputs);
  return isNamed(name, addressInputs) || isAddress(value);
}
