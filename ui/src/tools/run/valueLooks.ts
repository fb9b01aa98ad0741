/** Whether a value looks like an address of the network, or a path that leads out of the output, input and temp folder. */

import type { Json } from "../../graph/graph";
import {
  answererInputs,
  baseInputs,
  endingInputs,
  fileInputs,
  hubInputs,
  isNamed,
  modelInputs,
  namesFile,
  pathInputs,
} from "./inputNames";
import { linksWithin, namesWithin } from "./textForms";

const outsidePath =
  /^(?:@?[/\\~]|[a-z]:[/\\]|(?:\$\{?\w+\}?|(?:%\w+%)+|!\w+!)[/\\]|\$\{?env:|file:)|(?:^|[/\\])\.\. *(?:[/\\]|$)|^[a-z][a-z0-9+.-]+:\/\//i;
/** A folder that a variable names; ComfyUI's own, such as %date%, are written small. */
const variable = /^(?:\$\{?[A-Z_]{2,}\}?|(?:%[A-Z_]{2,}%)+)$/;
const variableOfWindows =
  /^%(?:userprofile|(?:local)?appdata|temp|tmp|home(?:drive|path)|system(?:root|drive)|windir|program(?:data|files)|public)%/i;
const ofDrive = /^[a-z]:/i;
/** On a drive without a slash: what looks like a file, whatever its input is called. */
const fileOfDrive =
  /^(?:[A-Z]:[\w-]+(?:\.\w{1,5})+|[A-Z]:\p{L}[^\s:,;|=()[\]{}<>"]*[^\s:,;|=()[\]{}<>".])$/iu;
/** A place on the disk that is named anywhere in a text. */
const placeWithin =
  /(?<![\w/\\.])(?:\/(?:etc|home|root|users|var|opt|usr|mnt|media|tmp|proc|sys|srv|dev|run|boot|volumes)\/|~\w*\/(?=[\w.])|[a-z]:[/\\](?=\w)|\\\\[\w.?-]+\\|\.\.[/\\](?=[\w.])|file:(?=\S))|(?<=(?:^|\s)-[a-z])\/(?:etc|home|root|users|var|usr|tmp)\//i;
const programs = "py|pyw|pyc|pyd|so|dll|exe|sh|bash|bat|cmd|ps1|psm1|vbs|lnk|desktop|hta|reg|scr|service";
const programPath = new RegExp(
  String.raw`[/\\][^/\\\n]*\.(?:${programs}|js|mjs|env|ya?ml|toml|ini|cfg)$`,
  "i",
);
const programName = /^[^/\\\s]+\.(?:py|pyw|pyc|pyd|so|dll|exe|sh|bash|bat|ps1)$/i;
/** Also what runs in ComfyUI's page once it is opened there, and what Python runs as it starts or unpickles. */
const writtenPrograms = `${programs}|js|mjs|env|svgz?|x?html?|pth|pkl|pickle|jar|php|ipynb`;
const writtenProgramName = new RegExp(
  String.raw`^[^/\\\s]+\.(?:${writtenPrograms})$|^extra_model_paths\.`,
  "i",
);
const writtenProgramPath = new RegExp(String.raw`[/\\][^/\\\n]*\.(?:${writtenPrograms})$`, "i");
const programEnding = new RegExp(String.raw`^\.?(?:${writtenPrograms})\b`, "i");
const pickled = /[^/\\.]\.(?:pkl|pickle|dill|joblib|pt|pth|ckpt)$/i;
/** Of a user's own settings, such as .bashrc. */
const hiddenName = /^\.[a-z]/i;
const comfyFolder =
  /^(?:custom_nodes|models|user|web|comfy|comfy_extras|app|api_server|script_examples)[/\\]/i;
/** Where code lies, and keys do. */
const privateFolder = /^(?:custom_nodes(?:[/\\]|$)|user[/\\])/i;
const ownFolder = /^(?:output|input|temp)(?:[/\\]|$)/i;

const networkAddress =
  /^\s*(?!file:)[\p{L}][\p{L}\d+.-]+:\/\/|^\s*(?:www\.\S[^\s.]*\.\S+|[\w.-]+@[\w-]+(?:\.[\w-]+)+:\S+)\s*$|^\s*magnet:\?/iu;
/** Browsers and others read these with any slashes, or none. */
const schemed =
  /^\s*(?:https?|ftps?|sftp|wss?|smb|nfs|ssh|ldaps?|gopher|rtmps?|rtsp|tcp|udp|mailto|tel|ipfs|git|github|gh|hf|hugging_?face|civitai|modelscope|ollama|replicate|s3|gs|gcs|az|rclone|oci|docker|pip|urn:air):(?=[^\s\d]|\d+(?:\.|@|$)|\d{3})/i;
const topLevel =
  "com|net|org|io|ai|dev|app|co|me|xyz|info|biz|cloud|site|online|top|ru|cn|de|uk|fr|jp|kr|eu|us|gg|link|page|tech|onion|test|local|internal|lan";
/** A host without a scheme: with a port or a path, or of a kind that no file's name ends like. */
const host = new RegExp(
  String.raw`^\s*(?:` +
    String.raw`(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f]*:[\da-f:.]*(?:%\w+)?\])(?::\d{1,5})?(?:[/?#]\S*)?|` +
    String.raw`(?:[\p{L}\d_-]+\.)+(?:${topLevel})(?::\d{1,5}|[/?#])\S*|` +
    String.raw`(?:[\p{L}\d_-]+\.)+(?:com|net|org|onion)|` +
    String.raw`(?:ftp|smtp|imap|mail)\.\S[^\s.]*\.\S+|` +
    String.raw`[\da-f]{0,4}(?::[\da-f]{1,4})*::(?:[\da-f]{1,4}:)*[\da-f]{1,4}(?:%\w+)?` +
    String.raw`)\s*$`,
  "iu",
);
const hostName = new RegExp(String.raw`^\s*(?:[\p{L}\d_-]+\.)+(?:${topLevel})\s*$`, "iu");
const mailbox = /^\s*[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}\s*$/i;
const cloudModel =
  /^\s*(?:gpt-[\w.-]+|dall-e-\d|o[134](?:-(?:mini|pro|preview))?|sora-\d[\w-]*|chatgpt[\w.-]*|claude-(?:\d|opus|sonnet|haiku|instant)[\w.-]*|(?:gemini|imagen|veo)-[\d][\w.-]*|grok-[\d][\w.-]*|deepseek-(?:chat|reasoner)|qwen-(?:max|plus|turbo|vl-(?:max|plus))[\w-]*|glm-\d[\w.]*-(?:plus|air|airx|flash|flashx|long)|(?:kling|doubao|moonshot|kimi|jimeng)-[\w.-]+|sonar(?:-\w+)?|openai|openrouter|anthropic|elevenlabs|deepseek|siliconflow|dashscope|replicate|fal)\s*$/i;
/** One that stands anywhere in a text: in JSON, lists, links of Markdown, arguments of a program, or prose. */
const addressWithin =
  /(?<=(?<![\p{L}\d])(?!file:)[a-z][a-z0-9+.-]+):\/\/(?=\S)|(?<![\p{L}\d])www\.[\w-]+\.\w/iu;
/** In characters; where words are not parted, a sentence is one. */
const longestWord = 200;
const hubName = /^\s*[\w.-]+\/[\w.-]+\s*$/;

export function isAddress(value: Json): boolean {
  return typeof value === "string" && (isWhollyAddress(value) || addressWithin.test(value));
}

function isWhollyAddress(value: string): boolean {
  return value.split("\n").some((line) => networkAddress.test(line));
}

/** One that is written without its slashes, without a scheme, or as a mailbox; as a whole line or where a link leads. */
export function isLooseAddress(value: Json): boolean {
  if (typeof value !== "string") return false;
  const looks = [schemed, host, mailbox];
  const links = linksWithin(value);
  return (
    links.some((link) => link.startsWith("//")) ||
    [...value.split("\n"), ...links].some((line) => looks.some((look) => look.test(line)))
  );
}

/** The name of a host alone, where an input tells that it is one; elsewhere files are called so, too. */
export function namesHost(name: string, value: Json): boolean {
  return isNamed(name, baseInputs) && typeof value === "string" && hostName.test(value);
}

/** A model or a service that answers over the network. */
export function namesService(name: string, value: Json): boolean {
  return isNamed(name, answererInputs) && typeof value === "string" && cloudModel.test(value);
}

/** A file that is code once it is read as Python's own objects; a model by its name lies where the person put it. */
export function unpickles(name: string, value: Json): boolean {
  if (typeof value !== "string" || isNamed(name, modelInputs)) return false;
  return pathsIn(value).some((path) => !/\s/.test(path) && pickled.test(path));
}

/** A model by its name on a hub, which what loads it may fetch. */
export function namesHubModel(name: string, value: Json): boolean {
  return isNamed(name, hubInputs) && typeof value === "string" && hubName.test(value);
}

/** An address that prose speaks of, as a prompt does: none of its lines is one, and it has words enough. */
export function isProse(value: Json): boolean {
  if (typeof value !== "string" || isWhollyAddress(value) || /=\s*[a-z]+:\/\//i.test(value)) return false;
  const words = value
    .split(/\s+/)
    .filter((word) => word.length <= longestWord && /^\W*\p{L}+\W*$/u.test(word));
  return words.length >= 4 && !/^\s*[[{]/.test(value);
}

/** A path that is not known to lie in the output, input or temp folder; one that another node makes is not known. */
export function leaves(value: Json): boolean {
  if (typeof value !== "string") return true;
  return pathsIn(value).some(
    (path) => path !== "" && !networkAddress.test(path) && !(ownFolder.test(path) && !isOutside(path)),
  );
}

/**
 * A path by its input's name, or by its look: nodes of packages take it relative to ComfyUI's folder, so those count,
 * too, that end like a program or, where something is written, begin with one of ComfyUI's own folders. A model that is
 * chosen from a list is no program that is written.
 */
export function leavesOutput(
  name: string,
  value: Json,
  { isForeign, writes, isChoice }: { isForeign: boolean; writes: boolean; isChoice: boolean },
): boolean {
  const isPath = isNamed(name, pathInputs);
  if (typeof value !== "string") return isPath;
  const isFile = isPath || isNamed(name, fileInputs);
  if (isForeign && isPlaceNamed(value)) return true;
  return pathsNamed(value, isFile).some((path) => {
    if (networkAddress.test(path)) return false;
    if (isOutside(path) || (isFile && ofDrive.test(path))) return true;
    if (!isForeign || path === "" || ownFolder.test(path)) return false;
    const isRisky = [programPath, programName, privateFolder, fileOfDrive].some((look) => look.test(path));
    if (isPath || isRisky) return true;
    if (!writes) return false;
    const isModel = isChoice || isNamed(name, modelInputs);
    const isProgram = !isModel && [writtenProgramName, writtenProgramPath].some((look) => look.test(path));
    if (isProgram || (isNamed(name, endingInputs) && programEnding.test(path))) return true;
    return isFile && (comfyFolder.test(path) || hiddenName.test(path));
  });
}

function isPlaceNamed(text: string): boolean {
  return placeWithin.test(text) || namesWithin(text).some((name) => !/\s/.test(name) && isOutside(name));
}

/** Of a node that comes with ComfyUI and reads: ComfyUI joins the name to the input folder, wherever that leads. */
export function leavesInput(name: string, value: Json): boolean {
  return namesFile(name) && typeof value === "string" && pathsIn(value).some(isOutside);
}

function isOutside(path: string): boolean {
  return outsidePath.test(path) || variable.test(path) || variableOfWindows.test(path);
}

/** In a text that need not be a list of paths, a line of it is one only where nothing else stands in it. */
function pathsNamed(text: string, isFile: boolean): string[] {
  if (isFile) return pathsIn(text);
  const lines = text.split("\n");
  return lines.length === 1
    ? [plainPath(text)]
    : lines.map(plainPath).filter((line) => !/\s|^\/\//.test(line));
}

/** Several may stand in lines, or behind commas and other such signs. */
export function pathsIn(text: string): string[] {
  return [text, ...text.split(/[\n,;|]/)].map(plainPath);
}

/** Without what changes nothing: quotes around it, which many nodes take off, steps that stay where they are, and what Windows drops. */
function plainPath(text: string): string {
  return text
    .trim()
    .replace(/^["']+|(?<!["'])["']+$/g, "")
    .replaceAll(/(?<=^|[/\\])(?:\.[/\\]+)+/g, "")
    .trim()
    .replace(/(?<=\w)(?:::?\$\w+|[. ]+)$/, "");
}
