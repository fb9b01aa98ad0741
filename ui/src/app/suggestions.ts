import type { Comfy } from "../comfy/bridge";
import { areFiles, isMissingFrom } from "../graph/fileChoices";
import type { GraphNode, Place } from "../graph/graph";

/** What a new chat suggests for the open workflow, as far as the model in use can do it; called again, it has another look. */
export type Suggest = (isSlim: boolean) => () => readonly string[];

type Page = Pick<Comfy, "graph" | "nodeDefinition" | "queue" | "tabs" | "workflow">;

interface Open {
  isEmpty: boolean;
  lacksSomething: boolean;
  /** It saves an image, in one place, that nothing has made larger. */
  savesSmallImage: boolean;
  /** A model file for that. */
  upscaler: string | undefined;
}

export function createSuggest(comfy: Page): Suggest {
  return (isSlim) => {
    const read = openReader(comfy);
    return () => [
      ...(comfy.queue.shownFailure() === undefined ? [] : ["Why did the last run fail?"]),
      ...suggestions(read(), isSlim),
    ];
  };
}

/** Small models have not been seen to build a workflow, to mend one, or to add two nodes for one purpose. */
function suggestions({ isEmpty, lacksSomething, savesSmallImage, upscaler }: Open, isSlim: boolean) {
  if (isEmpty)
    return ["Make a red 64×64 image and save it", ...(isSlim ? [] : ["Build a text to image workflow"])];
  const larger =
    upscaler === undefined || isSlim
      ? "Make the image twice as large before it is saved"
      : `Upscale the image with ${upscaler} before it is saved`;
  return [
    "Explain this workflow step by step",
    ...(lacksSomething && !isSlim ? ["Make this workflow run here"] : []),
    ...(savesSmallImage ? [larger] : []),
  ];
}

/** A large graph takes its time: it is read again where another workflow is open, or one with more or fewer nodes. */
function openReader(comfy: Page): () => Open {
  let last = "";
  let open: Open | undefined;
  return () => {
    const { key } = comfy.workflow();
    const stamp = `${key} ${comfy.tabs().find((tab) => tab.key === key)?.nodes}`;
    if (!open || stamp !== last) open = openIn(comfy);
    last = stamp;
    return open;
  };
}

function openIn(comfy: Page): Open {
  const active = activeIn(comfy);
  return {
    isEmpty: comfy.graph([]).nodes.length === 0,
    lacksSomething: active.some(isLacking),
    savesSmallImage:
      active.filter((node) => savesImage(node, comfy)).length === 1 &&
      !active.some(({ type }) => /upscale|ImageScale/i.test(type)),
    upscaler: upscalerOf(comfy),
  };
}

/** Of the whole workflow: nodes of one subgraph once for each node that shows it, read once. */
function activeIn(comfy: Page): GraphNode[] {
  const read = new Map<string, GraphNode[]>();
  const activeAt = (place: Place): GraphNode[] =>
    comfy
      .graph(place)
      .nodes.filter(({ mode }) => mode === "active")
      .flatMap((node) => {
        if (!node.subgraph) return [node];
        const inside = read.get(node.subgraph.id) ?? activeAt([...place, node.id]);
        read.set(node.subgraph.id, inside);
        return [node, ...inside];
      });
  return activeAt([]);
}

function isLacking({ isInstalled, widgets, inputs }: GraphNode): boolean {
  const isFed = (name: string) => inputs.some((input) => input.name === name && input.linkedFrom);
  return (
    !isInstalled ||
    widgets.some(
      ({ name, choices = [], value }) => areFiles(choices) && isMissingFrom(choices, value) && !isFed(name),
    )
  );
}

function savesImage({ type, inputs }: GraphNode, comfy: Page): boolean {
  return (
    /save/i.test(type) &&
    /image/i.test(type) &&
    comfy.nodeDefinition(type)?.isOutput === true &&
    inputs.some((input) => input.type === "IMAGE" && input.linkedFrom)
  );
}

/** The first that says how many times larger it makes an image: others only sharpen or clean it. */
function upscalerOf(comfy: Page): string | undefined {
  if (!comfy.nodeDefinition("ImageUpscaleWithModel")) return undefined;
  const files = comfy
    .nodeDefinition("UpscaleModelLoader")
    ?.inputs.find(({ name }) => name === "model_name")?.choices;
  return files?.map(String).find((file) => /(?<!\d)[2-8]x|x[2-8](?!\d)/i.test(file));
}
