import { api } from "/scripts/api.js";
import { app } from "/scripts/app.js";
import type { Panel } from "./app/mountPanel";

const TAB = "comfyui-assistant";
const REOPENS = "comfyui-assistant.reopen";

interface BottomPanel {
  activeBottomPanelTabId: string;
  toggleBottomPanelTab(id: string): void;
}

interface ComfyApp {
  lastNodeErrors?: Record<string, unknown> | null;
  lastExecutionError?: { node_id?: string | number } | null;
  registerExtension(extension: object): void;
  extensionManager: { bottomPanel: BottomPanel };
}

interface ComfyApi {
  fetchApi(route: string, init?: RequestInit): Promise<Response>;
  addEventListener(type: "reconnected", listener: () => void): void;
}

const comfyApp = app as ComfyApp;
const comfyApi = api as ComfyApi;

/** Events that ComfyUI listens to on the document: from inside the panel they would edit, run or load a workflow. */
const CONTAINED_EVENTS = ["keydown", "keyup", "copy", "cut", "paste", "dragover", "drop"] as const;

const host = document.createElement("div");
host.style.height = "100%";
for (const type of CONTAINED_EVENTS) host.addEventListener(type, (event) => event.stopPropagation());
for (const type of ["dragover", "drop"] as const) host.addEventListener(type, keepPageOnFileDrop);

let loading: Promise<Panel | undefined> | undefined;
let mounted: Panel | undefined;
let focusWhenShown = false;

function keepPageOnFileDrop(event: DragEvent) {
  if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
}

function loadPanel() {
  loading ??= import("./app/mountPanel")
    .then(({ mountPanel }) => {
      mounted = mountPanel(host, { fetchApi: (route, init) => comfyApi.fetchApi(route, init) });
      return mounted;
    })
    .catch((error: unknown) => {
      loading = undefined;
      showLoadFailure(error);
      return undefined;
    });
  return loading;
}

/** After an update the hashed file that this page knows is gone, so only a reload of the page can find the new one. */
function showLoadFailure(error: unknown) {
  const message = document.createElement("p");
  message.textContent = `The assistant's panel could not be loaded (${error instanceof Error ? error.message : error}). If the extension was just updated, reload the page.`;
  const actions = [
    ["Reload the page", () => location.reload()],
    ["Try again", () => void loadPanel()],
  ] as const;
  const buttons = actions.map(([label, run]) => {
    const button = document.createElement("button");
    button.textContent = label;
    button.onclick = run;
    button.style.cssText = "margin-inline-end:8px;padding:4px 12px;cursor:pointer";
    return button;
  });
  const box = document.createElement("div");
  box.style.cssText = "padding:16px;color:var(--fg-color);font:13px/1.5 sans-serif";
  box.append(message, ...buttons);
  host.replaceChildren(box);
}

/** ComfyUI calls this again, often with a new element, each time the tab is shown; the one host moves along. */
function render(element: HTMLElement) {
  element.style.height = "100%";
  if (host.parentElement !== element) element.replaceChildren(host);
  const focus = focusWhenShown;
  focusWhenShown = false;
  void loadPanel().then((panel) => panel?.shown({ focus }));
}

function open() {
  focusWhenShown = true;
  const { bottomPanel } = comfyApp.extensionManager;
  if (bottomPanel.activeBottomPanelTabId !== TAB) bottomPanel.toggleBottomPanelTab(TAB);
  else if (host.parentElement) render(host.parentElement);
}

/** Run ids name the way into subgraphs: node 3 inside node 6 is `6:3`. */
function hasFailed(node: string) {
  if (mounted?.hasFailed(node)) return true;
  const { lastNodeErrors, lastExecutionError } = comfyApp;
  const runIds = [...Object.keys(lastNodeErrors ?? {}), String(lastExecutionError?.node_id ?? "")];
  return runIds.some((runId) => runId.split(":").includes(node));
}

function repairNode(node: string) {
  open();
  void loadPanel().then((panel) => panel?.repairNode(node));
}

// ComfyUI was restarted, perhaps after an update.
comfyApi.addEventListener("reconnected", () => mounted?.shown({ focus: false }));

/** A turn that had ComfyUI restarted goes on in the new page. */
function reopen() {
  if (!sessionStorage.getItem(REOPENS)) return;
  sessionStorage.removeItem(REOPENS);
  open();
}

comfyApp.registerExtension({
  name: "ComfyUIAssistant",
  setup: reopen,
  getNodeMenuItems: ({ id }: { id: string | number }) =>
    hasFailed(String(id)) ? [{ content: "Fix with Assistant", callback: () => repairNode(String(id)) }] : [],
  bottomPanelTabs: [{ id: TAB, title: "Assistant", type: "custom", render, destroy: () => host.remove() }],
  commands: [
    { id: "ComfyUIAssistant.Open", label: "Open Assistant", icon: "pi pi-comments", function: open },
  ],
  // On macOS, Option+A types "å".
  keybindings: ["a", "å"].map((key) => ({ commandId: "ComfyUIAssistant.Open", combo: { key, alt: true } })),
});
