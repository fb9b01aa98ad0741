import { createRoot } from "react-dom/client";
import { createAssistantApi } from "../api/assistantApi";
import type { FetchApi } from "../api/client";
import type { Comfy } from "../comfy/bridge";
import { addStyles } from "../shared/addStyles";
import { createStore } from "../shared/store";
import { CrashBoundary } from "./CrashBoundary";
import { keepScroll } from "./keepScroll";
import { PanelApp } from "./PanelApp";
import styles from "./panel.css?inline";
import { createPanelServices } from "./panelServices";

/** The build gives it a hash of what the panel holds. */
const FILE = import.meta.url.replace(/.*\/|\?.*/g, "");

export interface HostPage {
  fetchApi: FetchApi;
  /** By which the server knows whether this page is there. */
  pageId(): string | undefined;
  /** The bridge to the page, which is more code than the panel needs to be typed into. */
  loadComfy(): Promise<Comfy>;
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
export function mountPanel(host: HTMLElement, { fetchApi, ...page }: HostPage): Panel {
  const showings = createStore({ count: 0, focusRequest: 0 });
  const services = createPanelServices(createAssistantApi(fetchApi), page);
  const scrollAsBefore = keepScroll(host);
  addStyles(styles);
  createRoot(host).render(
    <CrashBoundary>
      <PanelApp services={services} file={FILE} showings={showings} />
    </CrashBoundary>,
  );
  return {
    hasFailed(node) {
      const pageAccess = services.pageAccess.get();
      return pageAccess.kind === "ready" && pageAccess.content.failures.hasFailed(node);
    },
    repairNode: (node) =>
      void services.pageAccess.arrival().then(
        ({ failures }) => failures.repairNode(node),
        () => {},
      ),
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
