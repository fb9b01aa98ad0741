// Before what else is loaded: the styles of single views stand behind them.
import "./panelStyles";
import { LucideProvider } from "lucide-react";
import { createRoot } from "react-dom/client";
import { createAssistantApi } from "../api/assistantApi";
import type { FetchApi } from "../api/client";
import type { Comfy } from "../comfy/bridge";
import { createLiveComfy } from "../comfy/live";
import { createStore } from "../shared/store";
import { CrashBoundary } from "./CrashBoundary";
import { keepScroll } from "./keepScroll";
import { PanelApp } from "./PanelApp";
import { createPanelServices } from "./panelServices";

/** The build gives it a hash of what the panel holds. */
const FILE = import.meta.url.replace(/.*\/|\?.*/g, "");

export interface HostPage {
  fetchApi: FetchApi;
  /** By which the server knows whether this page is there. */
  pageId(): string | undefined;
  /** The bridge to the page; by default that to a real ComfyUI. */
  comfy?: Comfy;
}

export interface Panel {
  /** The panel has come into view, or has to look again whether the server part is the one it knows. */
  shown(options: { focus: boolean }): void;
  /** Whether ComfyUI reports something about a node. */
  hasFailed(node: string): boolean;
  /** Ask the assistant to repair what ComfyUI reports about a node. */
  repairNode(node: string): void;
  /** Begin a message about these nodes. */
  askAbout(nodes: readonly { id: string | number; title: string }[]): void;
}

/** Renders the panel into its host once, for the life of the page. */
export function mountPanel(
  host: HTMLElement,
  { fetchApi, pageId, comfy = createLiveComfy() }: HostPage,
): Panel {
  const showings = createStore({ count: 0, focusRequest: 0 });
  const services = createPanelServices(createAssistantApi(fetchApi), comfy, pageId);
  const { failures } = services.pageAccess;
  const scrollAsBefore = keepScroll(host);
  createRoot(host).render(
    <CrashBoundary>
      <LucideProvider className="cass-icon" size={16} strokeWidth={1.75}>
        <PanelApp services={services} file={FILE} showings={showings} />
      </LucideProvider>
    </CrashBoundary>,
  );
  return {
    hasFailed: failures.hasFailed,
    repairNode: failures.repairNode,
    askAbout: (nodes) =>
      services.asked.set(`About ${nodes.map(({ id, title }) => `node ${id} ${title}`).join(", ")}: `),
    shown({ focus }) {
      scrollAsBefore();
      showings.set(({ count, focusRequest }) => ({
        count: count + 1,
        focusRequest: focusRequest + (focus || count === 0 ? 1 : 0),
      }));
    },
  };
}
