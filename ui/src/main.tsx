import { api } from "/scripts/api.js";
import { app } from "/scripts/app.js";
import type { Panel } from "./app/mountPanel";

const TAB = "comfyui-assistant";
const REOPENS = `${TAB}.reopen`;
const OURS = "ComfyUIAssistant";
const ASK = "Ask the assistant";
const FIX = "Fix with Assistant";
/** The app itself, and the last step of building one. */
const APP_MODES = ["app", "builder:arrange"];

interface BottomPanel {
  activeBottomPanelTabId: string;
  toggleBottomPanelTab(id: string): void;
}

interface ComfyNode {
  id: string | number;
  title: string;
  getExtraMenuOptions?(...args: unknown[]): unknown;
}

interface ComfyApp {
  lastNodeErrors?: Record<string, unknown> | null;
  lastExecutionError?: { node_id?: string | number } | null;
  registerExtension(extension: object): void;
  extensionManager: {
    bottomPanel: BottomPanel;
    command: { execute(id: string): Promise<void> };
    workflow: { activeWorkflow?: { activeMode?: string | null; initialMode?: string } | null };
    focusMode?: boolean;
    toggleFocusMode?(): void;
  };
  canvas: { selectedItems?: Iterable<ComfyNode> };
}

interface ComfyApi {
  /** Undefined until ComfyUI's websocket has told it; a page loaded anew has it in its name. */
  clientId?: string;
  fetchApi(route: string, init?: RequestInit): Promise<Response>;
  addEventListener(type: "reconnected", listener: () => void): void;
}

const comfyApp = app as ComfyApp;
const comfyApi = api as ComfyApi;

/** Events that ComfyUI listens to on the document: from inside the panel they would edit, run or load a workflow. */
const CONTAINED_EVENTS = ["keydown", "keyup", "copy", "cut", "paste", "dragover", "drop"] as const;

const create = <Tag extends "a" | "div" | "p" | "button">(tag: Tag) => document.createElement(tag);

const host = create("div");
host.style.height = "100%";
for (const type of CONTAINED_EVENTS) host.addEventListener(type, contain);

let loading: Promise<Panel | undefined> | undefined;
let mounted: Panel | undefined;
let focusWhenShown = false;

/** A file that is dropped beside what takes it would be opened by the browser in place of the page. */
function contain(event: Event | DragEvent) {
  event.stopPropagation();
  if ("dataTransfer" in event && event.dataTransfer?.types.includes("Files")) event.preventDefault();
}

/** Another site's page that frames ComfyUI could lay itself over a question and take the click on Allow. */
function isInForeignFrame() {
  try {
    return window.top?.location.origin !== location.origin;
  } catch {
    return true;
  }
}

function showForeignFrame() {
  const message = create("p");
  message.style.cssText = "padding:9px;color:var(--fg-color)";
  const link = create("a");
  link.href = location.href;
  link.target = "_blank";
  link.textContent = "Open ComfyUI in a tab of its own";
  message.append("The assistant does not work inside another site's page. ", link, ".");
  host.replaceChildren(message);
}

function loadPanel(): Promise<Panel | undefined> {
  if (isInForeignFrame()) {
    showForeignFrame();
    return Promise.resolve(undefined);
  }
  loading ??= import("./app/mountPanel")
    .then(({ mountPanel }) => {
      mounted = mountPanel(host, {
        fetchApi: (route, init) => comfyApi.fetchApi(route, init),
        pageId: () => comfyApi.clientId || window.name || undefined,
        loadComfy: async () => (await import("./comfy/live")).createLiveComfy(),
      });
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
  const message = create("p");
  message.textContent = `The assistant's panel could not be loaded (${error}). After an update, reload the page.`;
  const actions = [
    ["Reload the page", () => location.reload()],
    ["Try again", open],
  ] as const;
  const buttons = actions.map(([label, run]) => {
    const button = create("button");
    button.textContent = label;
    button.onclick = run;
    button.style.cssText = "margin:4px;padding:4px";
    return button;
  });
  const box = create("div");
  box.style.cssText = "padding:9px;color:var(--fg-color)";
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

/** App Mode shows the workflow as a form, without a panel. Older pages have no such mode. */
function isInAppMode() {
  const { activeMode, initialMode } = comfyApp.extensionManager.workflow.activeWorkflow ?? {};
  return APP_MODES.includes(activeMode ?? initialMode ?? "");
}

function open() {
  focusWhenShown = true;
  const page = comfyApp.extensionManager;
  const { bottomPanel } = page;
  // Neither focus mode nor App Mode shows a panel.
  if (page.focusMode) page.toggleFocusMode?.();
  if (isInAppMode()) void page.command.execute("Comfy.ToggleLinear");
  if (bottomPanel.activeBottomPanelTabId !== TAB) bottomPanel.toggleBottomPanelTab(TAB);
  else if (host.parentElement) render(host.parentElement);
}

/** Run ids name the way into subgraphs: node 3 inside node 6 is `6:3`. */
function hasFailed(node: string) {
  if (mounted) return mounted.hasFailed(node);
  const { lastNodeErrors, lastExecutionError } = comfyApp;
  const runIds = [...Object.keys(lastNodeErrors ?? {}), `${lastExecutionError?.node_id}`];
  return runIds.some((runId) => runId.split(":").includes(node));
}

function repairNode(node: string) {
  open();
  void loadPanel().then((panel) => panel?.repairNode(node));
}

function ask(nodes: ComfyNode[]) {
  open();
  void loadPanel().then((panel) => panel?.askAbout(nodes));
}

const selected = () => [...(comfyApp.canvas.selectedItems ?? [])].filter(isNode);
const isNode = (item: object): item is ComfyNode => "inputs" in item;
const failedOf = (nodes: ComfyNode[]) => nodes.map(({ id }) => String(id)).find(hasFailed);

const withOwnMenu = new Set<object>();

function menuOf(node: ComfyNode) {
  const failed = failedOf([node]);
  return [
    { content: ASK, callback: () => ask([node]) },
    ...(failed ? [{ content: FIX, callback: () => repairNode(failed) }] : []),
  ];
}

// ComfyUI was restarted, perhaps after an update.
comfyApi.addEventListener("reconnected", () => mounted?.shown({ focus: false }));

const isRegistered = (type: string) => type in (window.LiteGraph?.registered_node_types ?? {});

/** A turn that had ComfyUI restarted goes on in the new page. */
function reopen() {
  if (!sessionStorage.getItem(REOPENS)) return;
  sessionStorage.removeItem(REOPENS);
  open();
}

comfyApp.registerExtension({
  name: OURS,
  setup: reopen,
  afterConfigureGraph: () =>
    void import("./app/toastLacks").then(
      ({ lookForLacks }) => lookForLacks(app, comfyApi, isRegistered, host, isInAppMode),
      () => {},
    ),
  // What the menu of its own class gives stands at the top; what is given for all nodes, below some twenty entries.
  beforeRegisterNodeDef(type: { prototype: ComfyNode }) {
    withOwnMenu.add(type);
    const others = type.prototype.getExtraMenuOptions;
    type.prototype.getExtraMenuOptions = function (...args) {
      const given = others?.apply(this, args);
      return [...menuOf(this), ...(Array.isArray(given) ? given : [])];
    };
  },
  getNodeMenuItems: (node: ComfyNode) => (withOwnMenu.has(node.constructor) ? [] : menuOf(node)),
  getSelectionToolboxCommands: (item: object) =>
    isNode(item) ? [...(failedOf([item]) ? [`${OURS}.Fix`] : []), `${OURS}.Ask`] : [],
  bottomPanelTabs: [{ id: TAB, title: "Assistant", type: "custom", render, destroy: () => host.remove() }],
  commands: [
    { id: `${OURS}.Open`, label: "Open Assistant", icon: "pi pi-comments", function: open },
    { id: `${OURS}.Ask`, label: ASK, icon: "pi pi-comments", function: () => ask(selected()) },
    {
      id: `${OURS}.Fix`,
      label: FIX,
      icon: "pi pi-wrench",
      function: () => repairNode(failedOf(selected()) ?? ""),
    },
  ],
  // On macOS, Option+A types "å".
  keybindings: ["a", "å"].map((key) => ({ commandId: `${OURS}.Open`, combo: { key, alt: true } })),
});
