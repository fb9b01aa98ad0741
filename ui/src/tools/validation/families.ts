/** Whether models, text encoders and VAEs go together, by what the heads of their files tell. */

import { z } from "zod";
import { possibleInputs } from "../../comfy/inputsInForce";
import type { NodeId } from "../../graph/graph";
import { linkedNode, type PromptNodes } from "../../graph/prompt";
import { few } from "../../shared/few";
import type { Ask } from "../missing/ask";
import { type ChosenFile, chosenFiles } from "../values/chosenFiles";
import type { Installed } from "./canvas";
import type { Problem } from "./problem";

const head = z.object({
  /** The width of texts that a model takes, and that of an encoder's. */
  takesText: z.number().optional(),
  givesText: z.number().optional(),
  /** The channels of latents that a model works on, and those of a VAE. */
  latents: z.number().optional(),
  vaeLatents: z.number().optional(),
});
export type Head = z.output<typeof head>;

/** Of the installed files among these names. */
export type ReadHeads = (names: readonly string[]) => Promise<ReadonlyMap<string, Head>>;

const heads = z.object({ heads: z.record(z.string(), head) });
/** The server reads no more at once. */
const mostHeads = 200;
const mostFitting = 3;

export function headsOf(ask: Ask): ReadHeads {
  return async (names) => {
    if (names.length === 0) return new Map();
    const reply = await ask("POST", "/environment/model-heads", { names: names.slice(0, mostHeads) });
    const read = heads.safeParse(reply.ok ? reply.value : undefined).data?.heads ?? {};
    return new Map(Object.entries(read));
  };
}

export interface FamilyFindings {
  problems: Problem[];
  /** Files of which their heads do not tell whether they go with the others. */
  notChecked: string[];
}

/** A file, and the input that it was chosen for. */
interface Chosen extends ChosenFile {
  node: NodeId;
}

/** `nodes` are those that would run. */
export async function familyFindings(
  nodes: PromptNodes,
  installed: Installed,
  readHeads: ReadHeads,
): Promise<FamilyFindings> {
  const chains = chainsOf(nodes, installed);
  const pairs = new Map(
    [...textPairs(nodes, chains), ...latentPairs(nodes, chains)].map((pair) => [
      JSON.stringify([pair.kind, pair.model.file, pair.others.map(({ file }) => file)]),
      pair,
    ]),
  );
  const apart = [...pairs.values()].filter(
    ({ model, others }) => !others.some(({ file }) => file === model.file),
  );
  const known = await readHeads([
    ...new Set(apart.flatMap(({ model, others }) => [model, ...others].map(({ file }) => file))),
  ]);
  const problems: Problem[] = [];
  const notChecked = new Set<string>();
  for (const pair of apart) {
    const { takes, gives, fits } = kinds[pair.kind];
    const wanted = known.get(pair.model.file)?.[takes];
    const given = pair.others.flatMap(({ file }) => known.get(file)?.[gives] ?? []);
    if (wanted === undefined) notChecked.add(pair.model.file);
    else if (fits(wanted, given)) continue;
    else if (given.length < pair.others.length)
      for (const { file } of pair.others) {
        if (known.get(file)?.[gives] === undefined) notChecked.add(file);
      }
    else problems.push(await otherFamily(pair, { wanted, given, nodes, installed, readHeads }));
  }
  return { problems, notChecked: [...notChecked] };
}

interface Differing {
  wanted: number;
  given: readonly number[];
  nodes: PromptNodes;
  installed: Installed;
  readHeads: ReadHeads;
}

async function otherFamily(
  { kind, node, input, model, others }: Pair,
  { wanted, given, nodes, installed, readHeads }: Differing,
): Promise<Problem> {
  const { gives, says } = kinds[kind];
  const [first = model] = others;
  const choices = choicesOf(nodes, installed, first);
  const all = await readHeads(choices);
  const fitting = choices.filter((file) => all.get(file)?.[gives] === wanted);
  const [place, modelPlace] = [first, model].map((each) => `${each.node}.${each.input}`);
  return {
    kind: "other-family",
    node,
    type: nodes[node]?.class_type ?? "",
    input,
    found: says(model.file, wanted, others.map(({ file }) => file).join(" and "), given.join(" and ")),
    fix:
      fitting.length > 0
        ? `Set ${place} to ${few(fitting, mostFitting, " or ")}, or ${modelPlace} to a model that goes with it.`
        : `No other choice of ${place} is known to fit: set ${modelPlace} to a model that goes with it, or have the user fetch what fits.`,
  };
}

const kinds = {
  text: {
    takes: "takesText",
    gives: "givesText",
    says: (model: string, wanted: number, others: string, given: string) =>
      `${model} takes texts of width ${wanted}, but ${others} gives ${given}.`,
    /** Several encoders are put side by side, as CLIP's two are, or several layers of one, as with Flux 2. */
    fits: (wanted: number, given: readonly number[]) =>
      wanted === given.reduce((sum, width) => sum + width, 0) || given.some((width) => wanted % width === 0),
  },
  latent: {
    takes: "latents",
    gives: "vaeLatents",
    says: (model: string, wanted: number, others: string, given: string) =>
      `${model} makes latents of ${wanted} channels, but ${others} takes ${given}.`,
    fits: (wanted: number, given: readonly number[]) => given.includes(wanted),
  },
} as const;

interface Pair {
  kind: keyof typeof kinds;
  /** Where the two come together. */
  node: NodeId;
  input: string;
  model: Chosen;
  others: readonly Chosen[];
}

function textPairs(nodes: PromptNodes, { inputsOf, ends }: Chains): Pair[] {
  return Object.keys(nodes).flatMap((node) =>
    inputsOf(node, ["CONDITIONING"]).flatMap(({ name, source }) =>
      inputsOf(node, ["MODEL"]).flatMap(({ source: from }) =>
        paired(ends(from, ["MODEL"]), ends(source, ["CONDITIONING", "CLIP"])).map(
          ({ model, others }): Pair => ({ kind: "text", node, input: name, model, others }),
        ),
      ),
    ),
  );
}

function latentPairs(nodes: PromptNodes, { inputsOf, ends, meeting }: Chains): Pair[] {
  return Object.keys(nodes).flatMap((node) =>
    inputsOf(node, ["LATENT"]).flatMap(({ source }) =>
      inputsOf(node, ["VAE"]).flatMap(({ name, source: from }) =>
        meeting(source, ["LATENT", "GUIDER"], "MODEL")
          .flatMap((model) => paired(ends(model, ["MODEL"]), ends(from, ["VAE"])))
          .map(({ model, others }): Pair => ({ kind: "latent", node, input: name, model, others })),
      ),
    ),
  );
}

/** Each loader of a model with each of the other kind, whose files are used together. */
function paired(models: readonly Chosen[][], others: readonly Chosen[][]) {
  return models.flatMap(([model, ...more]) =>
    model && more.length === 0
      ? others.flatMap((each) => (each.length > 0 ? [{ model, others: each }] : []))
      : [],
  );
}

type Types = readonly string[];

interface Chains {
  inputsOf(node: NodeId, types: Types): { name: string; source: NodeId }[];
  /** What links of these types lead back to from a node: the files of each node where they begin. */
  ends(from: NodeId, types: Types): Chosen[][];
  /** The nodes at which links of these types meet one of another type, as latents and a model do at a sampler. */
  meeting(from: NodeId, types: Types, type: string): NodeId[];
}

/** Not through nodes of packages: what those make of what they get, nobody knows. */
function chainsOf(nodes: PromptNodes, { definitionOf }: Installed): Chains {
  const typeOf = (node: NodeId) => definitionOf(nodes[node]?.class_type ?? "");
  const linksInto = (node: NodeId, types: Types) =>
    possibleInputs(typeOf(node)).flatMap(({ name, type }) => {
      const source = types.includes(type) ? linkedNode(nodes[node]?.inputs[name]) : undefined;
      return source === undefined ? [] : [{ name, source }];
    });
  const inputsOf = (node: NodeId, types: Types) =>
    typeOf(node)?.origin === undefined ? linksInto(node, types) : [];
  const before = (from: NodeId, types: Types, isEnd: (node: NodeId) => boolean): NodeId[] => {
    const seen = new Set([from]);
    for (const node of seen)
      if (!isEnd(node)) for (const { source } of inputsOf(node, types)) seen.add(source);
    return [...seen].filter(isEnd);
  };
  return {
    inputsOf,
    ends: (from, types) =>
      before(from, types, (node) => linksInto(node, types).length === 0).map((node) =>
        chosenFiles(typeOf(node), nodes[node]?.inputs ?? {}).map((chosen) => ({ ...chosen, node })),
      ),
    meeting: (from, types, type) =>
      before(from, types, (node) => inputsOf(node, [type]).length > 0).flatMap((node) =>
        inputsOf(node, [type]).map(({ source }) => source),
      ),
  };
}

function choicesOf(nodes: PromptNodes, installed: Installed, { node, input, file }: Chosen): string[] {
  const definition = installed.definitionOf(nodes[node]?.class_type ?? "");
  const found = possibleInputs(definition).find(({ name }) => name === input)?.choices;
  return (found ?? []).map(String).filter((choice) => choice !== file);
}
