/** Calls of `findMissing` in a page beside a stand-in for the server, ComfyUI-Manager and the registry. */

import { renderToStaticMarkup } from "react-dom/server";
import { createFakeComfy } from "../../comfy/fake";
import { good, standInServer } from "./standInServer";
import { callsOn, type TestCalls } from "./testCall";

export const model = (more: object = {}) => ({
  ...{ name: "b.safetensors", file: "b.safetensors", folder: "checkpoints", url: "https://huggingface.co/b" },
  ...{
    sha256: "",
    nodes: ["1 CheckpointLoaderSimple"],
    types: ["CheckpointLoaderSimple"],
    instead: [],
    variants: [],
    ...more,
  },
});
export const pack = (more: object = {}) => ({
  ...{ id: "kjnodes", version: "1.0", types: ["ImageResizeKJ"], isCore: false, isInstalled: false, ...more },
});
export const large = {
  name: "b.safetensors",
  file: "b.safetensors",
  folder: "vae",
  size: 24e9,
  variants: [],
};
export const registeredPack = {
  ...{ id: "kjnodes", name: "KJNodes", author: "", publisher: "kijai", repository: "https://github.com/k/k" },
  ...{ version: "1.2.0", updated: "2026-01-02", downloads: 1000 },
};

/** A registry that knows the package, and a ComfyUI-Manager that says what is installed when it has done so. */
export const managerReplies = (installed: object) => ({
  [REGISTRY]: good({ ids: { kjnodes: registeredPack }, types: {} }),
  "GET /manager/version": good("V3.37"),
  "POST /manager/queue/install": good(""),
  "POST /manager/queue/start": good(""),
  "GET /manager/queue/status": good({ is_processing: false }),
  "GET /customnode/installed": good(installed),
});
export const LOOK_UP = /^Look up/;
export const lacking = (more: object = {}) =>
  good({ packages: [], models: [], memory: null, tooLarge: [], ...more });

export const MISSING = "POST /assistant/missing";
export const REGISTRY = "POST /assistant/missing/packages";
export const OFFER = "POST /assistant/models/offers";
export const BEGIN = "POST /assistant/models/downloads";

export function withServer(
  replies: Parameters<typeof standInServer>[0],
  nodes: string[] = [],
  page: Parameters<typeof createFakeComfy>[0] = {},
) {
  const server = standInServer(replies);
  const comfy = createFakeComfy(page);
  for (const type of nodes) comfy.edit((editor) => editor.addNode(type));
  const calls = callsOn(comfy);
  calls.ask = server.ask;
  return { server, calls };
}

/** What the newest question shows beside its words. */
export const cardOf = ({ asked }: TestCalls) =>
  renderToStaticMarkup(asked.findLast(({ body }) => body)?.body).replaceAll("&#x27;", "'");
