import type { Plugin } from "vite";

const CLOUD_ADAPTER = "/core/dist/react/runtimes/cloud/useCloudThreadListAdapter.js";
const INDEX = "/@assistant-ui/react/dist/index.js";

/** What the adapter is where no cloud is configured: assistant-ui's list of threads in memory. */
const WITHOUT_CLOUD = `
import { InMemoryThreadListAdapter } from "../../../runtimes/remote-thread-list/adapter/in-memory.js";
const adapter = new InMemoryThreadListAdapter();
export const useCloudThreadListAdapter = () => adapter;
`;

/**
 * Leaves out of assistant-ui what the panel never calls: the client of its makers' cloud service, which
 * `useChatRuntime` brings along, and the components beside the used ones of a namespace such as `MessagePrimitive`,
 * which a bundler can only drop where the namespace is imported as one.
 */
export const leanAssistantUi: Plugin = {
  name: "lean-assistant-ui",
  enforce: "pre",
  load: (id) => (id.endsWith(CLOUD_ADAPTER) ? WITHOUT_CLOUD : null),
  transform: (code, id) => (id.endsWith(INDEX) ? { code: withNamespaces(code), map: null } : null),
};

function withNamespaces(code: string): string {
  return code.replaceAll(
    /import \{ (\w+_exports) \} from ("\.\/primitives\/\w+\.js");/g,
    (_, name: string, file: string) => `import * as ${name} from ${file};`,
  );
}
