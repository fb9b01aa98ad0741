/** Values that an input of an installed node does not take, judged as ComfyUI's server reads them. */

import type { InputDefinition } from "../../comfy/bridge";
import { namesItsFolder } from "../../graph/fileChoices";
import type { Choice, Json } from "../../graph/graph";
import { few } from "../../shared/few";
import { closestChoices } from "../values/closest";
import { closestWords } from "../values/widgetValue";
import type { InputProblem } from "./problem";

/** Files picked by upload may lie in folders that the list does not show; ComfyUI checks those itself. */
export function choiceProblems(name: string, given: readonly Choice[], value: Json): InputProblem[] {
  if (typeof value === "object" || given.some((choice) => isEqual(choice, value))) return [];
  const choices = given.map(String);
  const text = String(value);
  const alike = given.find((choice) => String(choice) === text);
  if (alike !== undefined)
    return [
      {
        kind: "wrong-value",
        found: `${JSON.stringify(value)} of ${name} is a ${typeof value}; its choices are no such ones.`,
        fix: `Set the ${typeof alike} ${JSON.stringify(alike)}.`,
      },
    ];
  if (choices.length === 0)
    return [
      {
        kind: "missing-file",
        found: ["", "undefined"].includes(text)
          ? `${name} has no value.`
          : `${JSON.stringify(text)} of ${name} is not there.`,
        fix: choiceFix([], true),
      },
    ];
  if (namesItsFolder(text)) return [];
  const isFile = /\.[a-z0-9]{2,12}$/i.test(text);
  const near = closestChoices(text.split(/[\\/]/).at(-1) ?? text, choices);
  return [
    {
      kind: isFile ? "missing-file" : "wrong-choice",
      found: isFile
        ? `The file ${JSON.stringify(text)} is not installed.`
        : `${JSON.stringify(text)} is not one of the ${choices.length} choices of ${name}.`,
      fix: `${modelFile.test(text) ? "findMissing lets the user fetch the file itself. " : ""}${near.length > 0 ? closestWords(choices, text, near) : choiceFix(choices, isFile)}`,
    },
  ];
}

const modelFile = /\.(?:safetensors|sft|ckpt|pth?|bin|gguf|onnx)$/i;

/** As Python compares: numbers and truth values by what they count, texts with texts alone. */
function isEqual(choice: Choice, value: string | number | boolean): boolean {
  return typeof choice === "string" || typeof value === "string"
    ? choice === value
    : Number(choice) === Number(value);
}

export function choiceFix(choices: readonly string[], isFile: boolean): string {
  if (choices.length > 0) return `Choices: ${few(choices, 6)}.`;
  return isFile
    ? "ComfyUI lists no file for it. A model is fetched by findMissing, once the user chooses it; a picture or the like the user has to put into the input folder."
    : "There is nothing to choose from.";
}

export function numberProblems(input: InputDefinition, value: Json): InputProblem[] {
  const { name, widget, min = -Infinity, max = Infinity } = input;
  const number = numberRead(value, widget === "integer");
  if (number >= min && number <= max) return [];
  return [
    {
      kind: "wrong-value",
      found: `${JSON.stringify(value)} does not fit ${name}, ${range(input)}.`,
      fix: `Set a value in ${range(input)}${defaultWords(input)}.`,
    },
  ];
}

function range({ widget, min, max }: InputDefinition): string {
  return `${widget} ${min ?? ""}..${max ?? ""}`;
}

export function defaultWords({ default: usual }: InputDefinition): string {
  return usual === undefined || usual === null || usual === ""
    ? ""
    : `, such as the default ${JSON.stringify(usual)}`;
}

const digits = String.raw`\d+(?:_\d+)*`;
const whole = new RegExp(String.raw`^\s*[+-]?${digits}\s*$`);
const decimal = new RegExp(
  String.raw`^\s*[+-]?(?:${digits}\.?(?:${digits})?|\.${digits})(?:e[+-]?${digits})?\s*$`,
  "i",
);

/** As Python's int() and float() do it: 20.9 is the integer 20 and true is 1; "", "20.0" and "0x10" are no integers. */
function numberRead(value: Json, isInteger: boolean): number {
  if (typeof value === "string")
    return (isInteger ? whole : decimal).test(value) ? Number(value.replace(/_/g, "")) : Number.NaN;
  if (typeof value !== "number" && typeof value !== "boolean") return Number.NaN;
  return isInteger ? Math.trunc(Number(value)) : Number(value);
}
