import type { Comfy } from "../comfy/bridge";

/** What a new chat suggests for the open workflow, as far as the model in use can do it. */
export type Suggest = (isSlim: boolean) => readonly string[];

interface Open {
  isEmpty: boolean;
  savesImage: boolean;
  hasFailed: boolean;
}

interface Suggestion {
  say: string;
  fits(open: Open): boolean;
  /** Small models have not been seen to do it. */
  isForAbleModels?: true;
}

const suggestions: readonly Suggestion[] = [
  { say: "Build a text to image workflow", fits: ({ isEmpty }) => isEmpty, isForAbleModels: true },
  { say: "Explain this workflow step by step", fits: ({ isEmpty }) => !isEmpty },
  { say: "Make this workflow run here", fits: ({ isEmpty }) => !isEmpty, isForAbleModels: true },
  { say: "Add an upscaler before the image is saved", fits: ({ savesImage }) => savesImage },
  { say: "Why did the last run fail?", fits: ({ hasFailed }) => hasFailed },
];

export function createSuggest(
  comfy: Pick<Comfy, "graph" | "nodeDefinition" | "queue" | "tabs" | "workflow">,
): Suggest {
  const read = openReader(comfy);
  return (isSlim) => {
    const open = read();
    return suggestions
      .filter(({ fits, isForAbleModels }) => fits(open) && !(isSlim && isForAbleModels))
      .map(({ say }) => say);
  };
}

/** A large graph takes its time: it is read again where another workflow is open, or one with more or fewer nodes. */
function openReader(comfy: Parameters<typeof createSuggest>[0]): () => Open {
  let last = "";
  let isEmpty = true;
  let savesImage = false;
  return () => {
    const { key } = comfy.workflow();
    const stamp = `${key} ${comfy.tabs().find((tab) => tab.key === key)?.nodes}`;
    if (stamp !== last) {
      const { nodes } = comfy.graph();
      isEmpty = nodes.length === 0;
      savesImage = nodes.some(
        ({ type, mode, inputs }) =>
          mode === "active" &&
          /save/i.test(type) &&
          comfy.nodeDefinition(type)?.isOutput &&
          inputs.some((input) => input.type === "IMAGE" && input.linkedFrom),
      );
      last = stamp;
    }
    return { isEmpty, savesImage, hasFailed: comfy.queue.shownFailure() !== undefined };
  };
}
