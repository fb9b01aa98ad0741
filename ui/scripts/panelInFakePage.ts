/** The panel in a page without ComfyUI: on a bridge to a graph in memory, with those few parts of ComfyUI that tests call. */

import { mountPanel } from "../src/app/mountPanel";
import { createFakeComfy, type FakeComfy } from "../src/comfy/fake";
import "./fakePage.css";

declare global {
  interface Window {
    /** ComfyUI in memory, for tests. */
    fakeComfy: FakeComfy;
    /** The parts of ComfyUI's own page that the tests of both pages call, under ComfyUI's names. */
    app: object;
    comfyAPI: object;
  }
}

const OPEN = "ComfyUIAssistant.Open";
const bottom = document.querySelector<HTMLElement>("#bottom-panel");
const host = document.querySelector<HTMLElement>("#panel");
if (!bottom || !host) throw new Error("The page has no place for the panel.");

const comfy = createFakeComfy();
const fetchApi = (route: string, init?: RequestInit) => fetch(`/api${route}`, init);
const panel = mountPanel(host, {
  fetchApi,
  pageId: () => new URLSearchParams(location.search).get("page") ?? undefined,
  loadComfy: async () => comfy,
});

const isShown = () => !bottom.hidden;

async function execute(command: string) {
  bottom.hidden = command !== OPEN && isShown();
  if (isShown()) panel.shown({ focus: command === OPEN });
}

window.fakeComfy = comfy;
window.comfyAPI = { api: { api: { fetchApi } } };
window.app = {
  extensionManager: {
    command: { execute },
    setting: {
      set: (_name: "Comfy.ColorPalette", palette: string) => {
        document.documentElement.dataset["palette"] = palette;
      },
    },
  },
};
