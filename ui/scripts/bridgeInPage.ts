/** What browser tests find in ComfyUI's page: the live bridge, the tools as the panel calls them, and the checks. */

import { createClient } from "../src/api/client";
import { createAsk } from "../src/app/askServer";
import { failingBehaviours } from "../src/comfy/behaviours";
import type { Comfy } from "../src/comfy/bridge";
import { createLiveComfy } from "../src/comfy/live";
import { browserTools } from "../src/tools";
import type { Ask } from "../src/tools/missing/ask";
import { roomOf } from "../src/tools/room";
import { runTool, type ToolContext, type ToolResult } from "../src/tools/tool";

declare global {
  interface Window {
    bridgeInPage?: BridgeInPage;
    newBridgeInPage?: () => void;
  }
}

/** `room` is in tokens; without it everything fits. */
type CallContext = Partial<Omit<ToolContext, "room">> & { room?: number };

interface BridgeInPage {
  comfy: Comfy;
  /** The server of this page, for calls that are given it. */
  ask: Ask;
  call(tool: string, args: unknown, context?: CallContext): Promise<ToolResult>;
  /** An empty list is a pass. Empties the graph. */
  failingBehaviours(): Promise<string[]>;
}

/** Each test begins with one that knows of no turn; what makes it is evaluated once in a page. */
window.newBridgeInPage = () => {
  const comfy = createLiveComfy();
  window.bridgeInPage = {
    comfy,
    ask: createAsk(createClient((route, init) => fetch(`/api${route}`, init))),
    call(name, args, { room = Number.MAX_SAFE_INTEGER, ...context } = {}) {
      const tool = browserTools.find((each) => each.name === name);
      if (!tool) throw new Error(`There is no browser tool ${name}.`);
      return runTool(tool, args, comfy, {
        signal: new AbortController().signal,
        onProgress() {},
        confirm: async () => true,
        ...context,
        room: roomOf(room),
      });
    },
    failingBehaviours: () => failingBehaviours(comfy),
  };
};
