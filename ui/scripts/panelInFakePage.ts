/** The panel in a page without ComfyUI: on a bridge to a graph in memory, with those few parts of ComfyUI that tests call. */

import { mountPanel } from "../src/app/mountPanel";
import { createFakeComfy, type FakeComfy } from "../src/comfy/fake";
import "./fakePage.css";

declare global {
  interface Window {
    /** ComfyUI in memory, for tests. */
    fakeComfy: FakeComfy;
  }
}

const OPEN = "ComfyUIAssistant.Open";
const element = (id: string) => document.getElementById(id) ?? document.body;
const bottom = element("bottom-panel");

const comfy = createFakeComfy();
const fetchApi = (route: string, init?: RequestInit) => fetch(`/api${route}`, init);
const panel = mountPanel(element("panel"), {
  fetchApi,
  pageId: () => new URLSearchParams(location.search).get("page") ?? undefined,
  comfy,
});

const isShown = () => !bottom.hidden;

async function execute(command: string) {
  bottom.hidden = command !== OPEN && isShown();
  if (isShown()) panel.shown({ focus: command === OPEN });
}

window.fakeComfy = comfy;
// The parts of ComfyUI's own page that the tests of both pages call, under ComfyUI's names.
Object.assign(window, {
  comfyAPI: { api: { api: { fetchApi } } },
  app: {
    extensionManager: {
      command: { execute },
      setting: {
        set: (_name: "Comfy.ColorPalette", palette: string) =>
          document.documentElement.setAttribute("data-palette", palette),
      },
    },
  },
});
