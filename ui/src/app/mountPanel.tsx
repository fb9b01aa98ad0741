import { createRoot } from "react-dom/client";
import { createAssistantApi, type FetchApi } from "../api/assistantApi";
import { createLiveComfy } from "../comfy/live";
import { createStore } from "../shared/store";
import { browserTools } from "../tools/index";
import { CrashBoundary } from "./CrashBoundary";
import { PanelApp } from "./PanelApp";
import styles from "./panel.css?inline";
import { createPanelServices } from "./panelServices";

export interface HostPage {
  fetchApi: FetchApi;
}

export interface Panel {
  /** The panel has come into view. */
  shown(options: { focus: boolean }): void;
}

/** Renders the panel into its host once, for the life of the page. */
export function mountPanel(host: HTMLElement, { fetchApi }: HostPage): Panel {
  const showings = createStore({ count: 0, focusRequest: 0 });
  const services = createPanelServices(createAssistantApi(fetchApi), createLiveComfy(), browserTools);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
  createRoot(host).render(
    <CrashBoundary>
      <PanelApp services={services} showings={showings} />
    </CrashBoundary>,
  );
  return {
    shown: ({ focus }) =>
      showings.set(({ count, focusRequest }) => ({
        count: count + 1,
        focusRequest: focusRequest + (focus || count === 0 ? 1 : 0),
      })),
  };
}
