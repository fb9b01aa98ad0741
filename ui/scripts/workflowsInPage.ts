/** Put into ComfyUI's page by a browser test, it writes the open workflow in compact form and builds it anew from that. */

import { createLiveComfy } from "../src/comfy/live";
import { buildWorkflow } from "../src/graph/compact/build";
import { outlineWorkflow } from "../src/graph/compact/outline";
import { parseCompact } from "../src/graph/compact/parse";
import { readWorkflow } from "../src/graph/compact/read";
import { type Reading, writeCompact } from "../src/graph/compact/write";

const comfy = createLiveComfy();
const read = () => readWorkflow(comfy.whole.read(), (type) => comfy.whole.shape(type));

const workflows = {
  compact: (reading?: Reading) => writeCompact(read(), reading),
  outline: () => outlineWorkflow(read()),
  async build(text: string) {
    const built = buildWorkflow(parseCompact(text), {
      shapeOf: (type) => comfy.whole.shape(type),
      newUuid: () => crypto.randomUUID(),
    });
    await comfy.whole.load(built);
    return built;
  },
};

declare global {
  interface Window {
    workflows?: typeof workflows;
  }
}

window.workflows = workflows;
