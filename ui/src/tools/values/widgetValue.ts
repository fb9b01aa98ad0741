/** A value as a model wrote it, made into one that the widget can hold. */

import type { NodeDefinition, StoredFile } from "../../comfy/bridge";
import { widgetDomain } from "../../graph/compact/describe";
import { areFiles, namesItsFolder, nameWithFolder } from "../../graph/fileChoices";
import type { Choice, GraphWidget, Json } from "../../graph/graph";
import { isObject, parseJson } from "../../shared/json";
import { filesMeant } from "../read/filesMeant";
import { type Fitting, ToolError } from "../toolError";
import { closestChoices } from "./closest";
import { colorNumber, colorText } from "./color";
import { filesFor, partMeant } from "./objectParts";
import { samplerAndScheduler, spelledLike } from "./spelling";

/** `type` is that of the node, whose choices may be out of date. */
export interface WidgetPlace {
  type?: string | undefined;
  definitionOf(type: string): NodeDefinition | undefined;
}

const nowhere: WidgetPlace = { definitionOf: () => undefined };

/** Throws a ToolError that says what the widget takes. Numbers off the widget's step pass: ComfyUI rounds them. */
export function widgetValue(widget: GraphWidget, written: Json, place: WidgetPlace = nowhere): Json {
  if (widget.isShown)
    throw new ToolError(
      `${widget.name} only shows a text, such as what came of a run; a value has no effect.`,
      "Change what leads to this node.",
    );
  switch (widget.kind) {
    case "choice":
      return choiceValue(widget, written, place);
    case "integer":
    case "number":
      return numberValue(widget, written);
    case "boolean":
      return booleanValue(widget, written);
    case "text":
      return textValue(widget, written);
    case "color":
      return colorValue(widget, written);
    case "other":
      return otherValue(widget, written, place);
    default:
      return widget.kind satisfies never;
  }
}

/** Of ComfyUI's own: they load pictures of its other folders, too, which their lists do not have. */
const loadPictures = new Set(["LoadImage", "LoadImageMask"]);

const picture = /\.(?:png|jpe?g|webp|gif|bmp|tiff?)$/i;

/** The file of another folder that `output/a.png`, `a.png [output]` or, where no list has it, `a.png` may mean. */
function storedMeant(written: string): { file: StoredFile; isExplicit: boolean } | undefined {
  const [, named, folder] = /^(.+) \[(output|temp)\]$/.exec(written) ?? [];
  const path = folder === undefined ? written : `${folder}/${named}`;
  const file = filesMeant(path).find(({ type }) => type !== "input");
  if (!file || !picture.test(file.filename)) return undefined;
  return { file, isExplicit: /^(?:output|temp)[\\/]/.test(path) };
}

function choicesWords(choices: readonly string[]): string {
  return `Choices: ${choices.slice(0, 20).join(", ")}${choices.length > 20 ? ", …" : ""}.`;
}

function choiceValue(widget: GraphWidget, written: Json, { type }: Pick<WidgetPlace, "type">): Json {
  if (widget.awaitsChoices)
    throw new ToolError(
      `What ${widget.name} can be has not come from ComfyUI's server.`,
      `Leave ${widget.name} out, or try again.`,
      [type ?? []].flat(),
    );
  if (!widget.choices) return written;
  const stored = loadPictures.has(type ?? "") ? storedMeant(String(written).trim()) : undefined;
  const choicesOf = [type ?? [], stored?.file ?? []].flat();
  if (widget.hasOpenChoices) return choiceMeant(widget.choices, written) ?? written;
  if (widget.choices.length === 0)
    throw new ToolError(
      `${widget.name} has nothing to choose from: ComfyUI lists no file for it.`,
      `The user has to add one: a model in its folder, a picture or the like in ComfyUI's input folder or attached here. Leave ${widget.name} out until then.`,
      choicesOf,
    );
  const found =
    (stored?.isExplicit ? undefined : choiceMeant(widget.choices, written)) ??
    (stored && widget.choices.find((choice) => choice === nameWithFolder(stored.file)));
  if (found !== undefined) return found;
  const choices = widget.choices.map(String);
  const [onlyChoice] = choices.length === 1 && !areFiles(choices) ? widget.choices : [];
  const near = closestChoices(String(written), choices);
  throw new ToolError(
    `${JSON.stringify(written)} is not one of the ${widget.choices.length} choices of ${widget.name}.`,
    near.length > 0 ? closestWords(choices, String(written), near) : choicesWords(choices),
    choicesOf,
    {
      fitting: fitting(
        widget,
        samplerAndScheduler(choices, String(written))?.sampler ?? near[0] ?? onlyChoice,
      ),
    },
  );
}

function fitting({ name: widget }: GraphWidget, value: Json | undefined): Fitting {
  return value === undefined ? {} : { widget, value };
}

/** A sampler with its scheduler first: both corrected. */
export function closestWords(choices: readonly string[], written: string, near: readonly string[]): string {
  const both = samplerAndScheduler(choices, written);
  return both
    ? `It is sampler_name ${both.sampler}, scheduler ${both.scheduler}.`
    : `Closest: ${near.join(", ")}.`;
}

/** The choice itself, then the only one that differs in letter case, then the only one that names its folder behind it,
 * then the only file of that name in any folder, with or without what it ends on, then the only one of that spelling. */
function choiceMeant(choices: readonly Choice[], written: Json): Choice | undefined {
  const text = String(written).trim();
  const ways: ((choice: string) => boolean)[] = [
    (choice) => choice === text,
    (choice) => choice.toLowerCase() === text.toLowerCase(),
    (choice) => namesItsFolder(choice) && choice.slice(0, choice.lastIndexOf(" [")) === text,
    (choice) => fileName(choice) === fileName(text),
    (choice) => fileName(choice).replace(fileEnding, "") === fileName(text),
  ];
  for (const fits of ways) {
    const found = choices.filter((choice) => fits(String(choice)));
    if (found.length === 1) return found[0];
  }
  return spelledLike(choices, text);
}

const fileEnding = /(?<=.)\.[a-z][a-z0-9]{1,11}$/;

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1)?.toLowerCase() ?? path;
}

function numberValue(widget: GraphWidget, written: Json): number {
  const value = typeof written === "string" ? numberMeant(widget, written) : written;
  if (typeof value !== "number" || !Number.isFinite(value))
    throw unfit(
      widget,
      written,
      widget.isColor ? "a color such as #ff0000 or red" : undefined,
      numberAlike(widget, written),
    );
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = widget;
  const whole = widget.kind === "integer" ? Math.round(value) : value;
  const nearest = Math.min(Math.max(whole, min), max);
  if (nearest !== value) throw unfit(widget, written, undefined, nearest);
  return value;
}

function numberMeant(widget: GraphWidget, text: string): number | undefined {
  return numberWritten(text) ?? (widget.isColor ? colorNumber(text) : undefined);
}

/** Decimal, hexadecimal, or a color as `#rrggbb`. */
function numberWritten(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^#[0-9a-f]{6}$/i.test(trimmed)) return colorNumber(trimmed);
  return /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|0x[0-9a-f]+)$/i.test(trimmed)
    ? Number(trimmed)
    : undefined;
}

/**
 * The number of "4x", "30 steps" or "0,8", which the widget takes; no share, as "80%" is one of 100 or of 1, and not
 * "1,000", which may be a thousand.
 */
function numberAlike(widget: GraphWidget, written: Json): number | undefined {
  const text = String(written).trim();
  const [, number] =
    /^([+-]?\d+(?:\.\d+)?)\s*[a-z]+$/i.exec(text) ?? /^([+-]?(?:0,\d+|\d+,\d{1,2}))$/.exec(text) ?? [];
  if (number === undefined || widget.isColor) return undefined;
  try {
    return numberValue(widget, number.replace(",", "."));
  } catch {
    return undefined;
  }
}

function booleanValue(widget: GraphWidget, written: Json): boolean {
  const text = String(written).trim().toLowerCase();
  if (["true", "yes", "on", "1"].includes(text)) return true;
  if (["false", "no", "off", "0"].includes(text)) return false;
  throw unfit(widget, written);
}

function textValue(widget: GraphWidget, written: Json): string {
  if (written === null || typeof written === "object") throw unfit(widget, written);
  return String(written);
}

function colorValue(widget: GraphWidget, written: Json): string {
  const value = typeof written === "string" ? (colorNumber(written) ?? numberWritten(written)) : written;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > 0xffffff)
    throw unfit(widget, written, "a color such as #ff0000");
  return colorText(value);
}

/**
 * Widgets of other extensions: what they hold now tells whether text is meant as JSON. What is left out of an object stays
 * as it is.
 */
function otherValue(widget: GraphWidget, written: Json, place: WidgetPlace): Json {
  const { value: present } = widget;
  if (widget.isForClicks)
    throw new ToolError(
      `${widget.name} does what it does where a person clicks it; a value has no effect.`,
      "Change the nodes that it is about, such as by mode.",
    );
  const shape = `JSON of the same shape as its present value${isObject(present) ? `, ${JSON.stringify(present).slice(0, 200)}` : ""}`;
  const value = typeof present === "string" || present === null ? written : parsed(written);
  if (!isObject(present)) {
    if (value === undefined) throw unfit(widget, written, shape);
    return value;
  }
  const parts = value !== undefined && isObject(value) ? value : partMeant(present, value ?? written);
  if (!parts) throw unfit(widget, written, shape);
  const merged = Object.entries(parts).map(([name, part]): [string, Json] => {
    const fitting = Object.hasOwn(present, name) ? partLike(present[name] ?? null, part) : undefined;
    if (fitting === undefined) throw unfit(widget, written, shape);
    return [name, installed(widget, parts, { name, part: fitting, place })];
  });
  return { ...present, ...Object.fromEntries(merged) };
}

/** A part as it is, or the file that it names as ComfyUI lists it. */
function installed(
  widget: GraphWidget,
  parts: { [name: string]: Json },
  { name, part, place }: { name: string; part: Json; place: WidgetPlace },
): Json {
  const files = filesFor(name, part, place.definitionOf);
  if (!files) return part;
  const asWidget: GraphWidget = {
    name: `${name} of ${widget.name}`,
    kind: "choice",
    value: part,
    choices: files.choices,
  };
  try {
    return choiceValue(asWidget, part, files);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { value } = error.fitting;
    throw new ToolError(error.message, error.hint, error.choicesOf, {
      fitting: fitting(widget, value === undefined ? undefined : { ...parts, [name]: value }),
    });
  }
}

/** Undefined where the part has been of another kind; nothing is of any. */
function partLike(present: Json, written: Json): Json | undefined {
  if (present === null || written === null || typeof present === typeof written) return written;
  const meant = parsed(written);
  return typeof meant === typeof present ? meant : undefined;
}

function parsed(written: Json): Json | undefined {
  return typeof written === "string" ? (parseJson(written) as Json | undefined) : written;
}

function unfit(widget: GraphWidget, written: Json, expected?: string, nearest?: number): ToolError {
  return new ToolError(
    `${JSON.stringify(written)} does not fit ${widget.name}; expected ${expected ?? widgetDomain(widget).slice(1, -1)}.`,
    nearest === undefined ? undefined : `Nearest: ${nearest}.`,
    [],
    { fitting: fitting(widget, nearest) },
  );
}
