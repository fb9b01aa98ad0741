/** Whether a value looks like an address of the network, or a path that leads out of the output, input and temp folder. */

import type { Json } from "../../graph/graph";
import { endingInputs, fileInputs, isNamed, namesFile, pathInputs } from "./inputNames";

const outsidePath =
  /^(?:[/\\~]|[a-z]:[/\\]|(?:\$\{?\w+\}?|(?:%\w+%)+)[/\\]|\$env:|file:)|(?:^|[/\\])\.\. *(?:[/\\]|$)|^[a-z][a-z0-9+.-]+:\/\//i;
/** A folder that a variable names; ComfyUI's own, such as %date%, are written small. */
const variable = /^(?:\$\{?[A-Z_]{2,}\}?|(?:%[A-Z_]{2,}%)+)$/;
const ofDrive = /^[a-z]:/i;
const programPath =
  /[/\\][^/\\\n]*\.(?:py|pyc|pyd|so|dll|exe|sh|bash|bat|cmd|ps1|js|mjs|env|ya?ml|toml|ini|cfg)$/i;
const programName = /^[^/\\\s]+\.(?:py|pyc|pyd|so|dll|exe|sh|bash|bat|ps1)$/i;
const writtenProgramName = /^[^/\\\s]+\.(?:cmd|js|mjs|env)$/i;
const programEnding = /^\.?(?:py|pyc|pyd|so|dll|exe|sh|bash|bat|cmd|ps1|js|mjs|env)$/i;
const comfyFolder =
  /^(?:custom_nodes|models|user|web|comfy|comfy_extras|app|api_server|script_examples)[/\\]/i;
/** Where code lies, and keys do. */
const privateFolder = /^(?:custom_nodes|user)[/\\]/i;
const ownFolder = /^(?:output|input|temp)(?:[/\\]|$)/i;

const networkAddress =
  /^\s*(?!file:)[a-z][a-z0-9+.-]+:\/\/|^\s*(?:www\.\S+\.\S+|[\w.-]+@[\w-]+(?:\.[\w-]+)+:\S+)\s*$|^\s*magnet:\?/i;
/** One that is given within another text, as JSON, lists and arguments of a program give theirs; prose only speaks of some. */
const givenAddress = /(?:["'=]\s*|[,;|])(?!file:)[a-z][a-z0-9+.-]+:\/\//i;

export function isAddress(value: Json): boolean {
  return typeof value === "string" && (isWhollyAddress(value) || givenAddress.test(value));
}

function isWhollyAddress(value: string): boolean {
  return value.split("\n").some((line) => networkAddress.test(line));
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
 * too, that end like a program or, where something is written, begin with one of ComfyUI's own folders.
 */
export function leavesOutput(name: string, value: Json, isForeign: boolean, writes: boolean): boolean {
  const isPath = isNamed(name, pathInputs);
  if (typeof value !== "string") return isPath;
  const isFile = isPath || isNamed(name, fileInputs);
  return pathsNamed(value, isFile).some((path) => {
    if (networkAddress.test(path)) return false;
    if (isOutside(path) || (isFile && ofDrive.test(path))) return true;
    if (!isForeign || path === "" || ownFolder.test(path)) return false;
    if (isPath || programPath.test(path) || programName.test(path) || privateFolder.test(path)) return true;
    if (!writes) return false;
    if (writtenProgramName.test(path) || (isNamed(name, endingInputs) && programEnding.test(path)))
      return true;
    return isFile && comfyFolder.test(path);
  });
}

/** Of a node that comes with ComfyUI and reads: ComfyUI joins the name to the input folder, wherever that leads. */
export function leavesInput(name: string, value: Json): boolean {
  return namesFile(name) && typeof value === "string" && pathsIn(value).some(isOutside);
}

function isOutside(path: string): boolean {
  return outsidePath.test(path) || variable.test(path);
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
function pathsIn(text: string): string[] {
  return [text, ...text.split(/[\n,;|]/)].map(plainPath);
}

/** Without what changes nothing: quotes around it, which many nodes take off, and steps that stay where they are. */
function plainPath(text: string): string {
  return text
    .trim()
    .replace(/^["']+|["']+$/g, "")
    .replaceAll(/(?<=^|[/\\])(?:\.[/\\]+)+/g, "")
    .trim();
}
