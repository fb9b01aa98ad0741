import type { Plugin } from "vite";

const CLOUD_ADAPTER = "/core/dist/react/runtimes/cloud/useCloudThreadListAdapter.js";
const INDEX = "/@assistant-ui/react/dist/index.js";

/** What the adapter is where no cloud is configured: assistant-ui's list of threads in memory. */
const WITHOUT_CLOUD = `
import { InMemoryThreadListAdapter } from "../../../runtimes/remote-thread-list/adapter/in-memory.js";
const adapter = new InMemoryThreadListAdapter();
export const useCloudThreadListAdapter = () => adapter;
`;

/** Parts of the page whose state goes along with each message: the panel has none. */
const MESSAGES = "/core/dist/runtime/base/base-thread-runtime-core.js";
const INTERACTABLES = /gateInteractableComposerMetadata\(this.*?\);/;

/**
 * Leaves out of assistant-ui what the panel never calls: the client of its makers' cloud service, which
 * `useChatRuntime` brings along, and the components beside the used ones of a namespace such as `MessagePrimitive`,
 * which a bundler can only drop where the namespace is imported as one.
 */
export const leanAssistantUi: Plugin = {
  name: "lean-assistant-ui",
  enforce: "pre",
  load: (id) => (id.endsWith(CLOUD_ADAPTER) ? WITHOUT_CLOUD : null),
  transform(code, id) {
    if (id.endsWith(INDEX)) return { code: withNamespaces(code), map: null };
    return id.endsWith(MESSAGES) ? { code: code.replace(INTERACTABLES, "undefined;"), map: null } : null;
  },
};

function withNamespaces(code: string): string {
  return code.replaceAll(
    /import \{ (\w+_exports) \} from ("\.\/primitives\/\w+\.js");/g,
    (_, name: string, file: string) => `import * as ${name} from ${file};`,
  );
}
