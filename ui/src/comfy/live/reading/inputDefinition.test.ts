import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { InputDefinition } from "../../bridge";
import { readDefinition } from "./definition";

interface Entry {
  raw: unknown;
  inputs: unknown;
  outputs: unknown;
}

const file = new URL("../../../../../contract/nodeInputs.json", import.meta.url);
const contract = JSON.parse(readFileSync(file, "utf8")) as { [type: string]: Entry };

/** As the contract with the server writes an input: without defaults and limits. */
function inContract({
  name,
  type,
  isOptional,
  widget,
  choices,
  options,
  grows,
  match,
}: InputDefinition): object {
  return {
    name,
    type,
    isOptional,
    isWidget: widget !== undefined,
    ...(choices && { choices }),
    ...(options && { options: options.map(({ key, inputs }) => ({ key, inputs: inputs.map(inContract) })) }),
    ...(grows && { grows: { ...grows, each: inContract(grows.each) } }),
    ...(match !== undefined && { match }),
  };
}

describe("inputs of newer kinds", () => {
  it.each(Object.entries(contract))(
    "of %s are read as the server reads them",
    (type, { raw, inputs, outputs }) => {
      const definition = readDefinition(type, "", raw);
      expect(definition?.inputs.map(inContract)).toEqual(inputs);
      expect(definition?.outputs).toEqual(outputs);
    },
  );

  it.each([
    ["COMFY_DYNAMICCOMBO_V3", { options: "none" }],
    ["COMFY_AUTOGROW_V3", { template: { prefix: "image", min: 1, max: 4 } }],
    ["COMFY_MATCHTYPE_V3", {}],
  ])("that are malformed stay inputs of the type %s", (kind, options) => {
    const raw = { input: { required: { odd: [kind, options] } }, output: [], output_name: [] };
    expect(readDefinition("Odd", "", raw)?.inputs).toEqual([{ name: "odd", type: kind, isOptional: false }]);
  });
});
