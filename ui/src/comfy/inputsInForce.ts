/** Which inputs of a node type there are: those that its choices bring along and those that it grows, by full name. */

import type { Json } from "../graph/graph";
import type { InputDefinition, NodeDefinition } from "./bridge";

type Inputs = Pick<NodeDefinition, "inputs">;

/** What an input of this name holds; undefined where it holds nothing. */
export type Held = (name: string) => Json | undefined;

/**
 * The inputs that ComfyUI asks a node for: those of the choices that are made, and of what grows as many as it needs
 * and those that hold something.
 */
export function inputsInForce({ inputs }: Inputs, held: Held): InputDefinition[] {
  return inputs.flatMap((input) => {
    if (input.grows)
      return grown(input.grows).filter(({ name, isOptional }) => !isOptional || held(name) !== undefined);
    const chosen = input.options?.find(({ key }) => key === held(input.name));
    return chosen ? [input, ...inputsInForce(chosen, held)] : [input];
  });
}

/** An input by its full name, such as `images.image2` or `resize_type.width`, whatever is chosen. */
export function inputNamed({ inputs }: Inputs, name: string): InputDefinition | undefined {
  for (const input of inputs) {
    if (input.grows?.names.includes(name)) return grown(input.grows).find((each) => each.name === name);
    if (!input.grows && input.name === name) return input;
    for (const option of input.options ?? []) {
      const found = inputNamed(option, name);
      if (found) return found;
    }
  }
  return undefined;
}

/** The full name of an input that there can be: by this name, or the only one whose name ends with it, as `width`. */
export function fullNameOf(definition: Inputs, name: string): string | undefined {
  const [found, ...others] = fullNamesOf(definition, name);
  return others.length === 0 ? found : undefined;
}

/** This name where there can be such an input, else all whose names end with it. */
export function fullNamesOf(definition: Inputs, name: string): string[] {
  if (inputNamed(definition, name)) return [name];
  return [...new Set(namesOfInputs(definition).filter((each) => each.endsWith(`.${name}`)))];
}

/** The full names of all inputs that there can be. */
export function namesOfInputs({ inputs }: Inputs): string[] {
  return inputs.flatMap(({ name, grows, options = [] }) => [
    ...(grows ? grows.names : [name]),
    ...options.flatMap(namesOfInputs),
  ]);
}

/** The growing row that an input belongs to. */
export function rowOf(definition: Inputs, name: string): string | undefined {
  return growingRow(definition, name)?.name;
}

/** The names of all inputs that the row of an input can have, where it is one of a row. */
export function rowNames(definition: Inputs | undefined, name: string): { row?: readonly string[] } {
  const row = definition && growingRow(definition, name)?.grows?.names;
  return row ? { row } : {};
}

function growingRow({ inputs }: Inputs, name: string): InputDefinition | undefined {
  for (const input of inputs) {
    if (input.grows?.names.includes(name)) return input;
    for (const option of input.options ?? []) {
      const row = growingRow(option, name);
      if (row) return row;
    }
  }
  return undefined;
}

/** Whether ComfyUI runs the node without this input. What no definition names the node has grown by itself. */
export function isOptionalInput(definition: Inputs, name: string): boolean {
  return inputNamed(definition, name)?.isOptional ?? true;
}

/** All inputs that there can be, those of all choices among them; of what grows the first. None of a type nobody knows. */
export function possibleInputs(definition: Inputs | undefined): InputDefinition[] {
  return (definition?.inputs ?? []).flatMap((input) => [
    ...(input.grows ? grown(input.grows).slice(0, 1) : [input]),
    ...(input.options ?? []).flatMap(possibleInputs),
  ]);
}

/** What an input may hold with one or another of the choices that bring it; undefined where that is not told. */
export function choicesNamed(definition: Inputs, name: string): readonly Json[] | undefined {
  const lists = possibleInputs(definition).flatMap((input) => (input.name === name ? [input.choices] : []));
  const [first] = lists;
  if (lists.length < 2 || lists.includes(undefined)) return first;
  return [...new Set(lists.flatMap((choices) => choices ?? []))];
}

function grown({ names, least, each }: NonNullable<InputDefinition["grows"]>): InputDefinition[] {
  return names.map((name, index) => ({ ...each, name, isOptional: index >= least }));
}
