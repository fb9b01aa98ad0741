/** Where the panel is closed: a word in ComfyUI's own place about a workflow that lacks something, once for each. */

import { addToStoredList, storedList } from "../shared/storedList";
import { lackWords } from "../tools/missing/lackWords";
import { neededPart } from "../tools/missing/neededPart";

interface Toast {
  severity: string;
  summary: string;
  detail: string;
  life: number;
}

export interface ClosedPage {
  fetchApi(route: string, init?: RequestInit): Promise<Response>;
  /** The name of the open workflow. */
  name: string;
  /** The open workflow, as it is saved. */
  saved(): object;
  /** Whether a type is registered, by whomever. */
  hasType(type: string): boolean;
  show(toast: Toast): void;
}

interface Found {
  models?: { name: string }[];
  packages?: { id: string; types: string[]; isCore?: boolean }[];
  replaced?: { type: string }[];
  more?: { models?: number; packages?: number };
}

/** The older one is told which message to take away, the newer one by the id that it gave. */
interface Toasts {
  add(message: Toast): void;
  remove?(message: Toast): void;
  info?(title: string, options: { description: string; duration: number }): string;
  dismiss?(id: string): void;
}

interface ComfyApp {
  rootGraph?: SavedGraph;
  graph: SavedGraph;
  extensionManager: {
    workflow?: { activeWorkflow?: { path?: string } | null };
    toast?: Toasts;
  };
}

interface SavedGraph {
  id?: string;
  serialize(): object;
}

const key = "comfyui-assistant.told-missing";
const mostKept = 50;
/** In milliseconds. */
const shownFor = 15_000;

/** In milliseconds: what is loaded stands in its tab by then. */
const untilItIsOpen = 1000;

let lookedAt = "";

/** Each time that a graph was loaded, which undo does, too: so every workflow is looked at once. */
export async function lookForLacks(
  app: unknown,
  api: Pick<ClosedPage, "fetchApi">,
  hasType: ClosedPage["hasType"],
  panel: HTMLElement,
  isInAppMode: () => boolean,
): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, untilItIsOpen));
  const { rootGraph, graph, extensionManager } = app as ComfyApp;
  const { workflow, toast } = extensionManager;
  const whole = rootGraph ?? graph;
  const name = workflow?.activeWorkflow?.path;
  const open = `${name} ${whole.id}`;
  const isShown = panel.getClientRects().length > 0;
  // In App Mode it would lie over the app's inputs.
  if (isShown || isInAppMode() || name === undefined || !toast || open === lookedAt) return;
  lookedAt = open;
  const page: ClosedPage = {
    fetchApi: (route, init) => api.fetchApi(route, init),
    name,
    saved: () => whole.serialize(),
    hasType,
    show: (message) => {
      onceShown(panel, put(toast, message));
    },
  };
  await toastLacks(page, localStorage).catch(() => {});
}

/** Put a message into ComfyUI's corner; what is returned takes it away. */
function put(toasts: Toasts, message: Toast): () => void {
  const { summary, detail, life } = message;
  const id = toasts.info?.(summary, { description: detail, duration: life });
  if (id !== undefined) return () => toasts.dismiss?.(id);
  toasts.add(message);
  return () => toasts.remove?.(message);
}

/** The panel says the same, and more; `act` is called where it is shown while the word is. */
function onceShown(panel: HTMLElement, act: () => void) {
  const watch = new ResizeObserver(() => {
    if (panel.getClientRects().length === 0) return;
    watch.disconnect();
    act();
  });
  watch.observe(panel);
  setTimeout(() => watch.disconnect(), shownFor);
}

/** `storage` may be full or forbidden; then it is told again when the page is loaded anew. */
export async function toastLacks(
  { fetchApi, name, saved, hasType, show }: ClosedPage,
  storage: Pick<Storage, "getItem" | "setItem">,
): Promise<void> {
  const response = await fetchApi("/assistant/missing", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ workflow: neededPart(saved()) }),
  });
  if (!response.ok) return;
  const { models = [], packages = [], replaced = [], more }: Found = Object(await response.json());
  const absent = packages.filter(({ types }) => types.some((type) => !hasType(type)));
  const others = replaced.filter(({ type }) => !hasType(type));
  if (models.length + absent.length + others.length === 0) return;
  const lacks = lackWords({ packages: absent, found: { models, replaced: others, ...(more && { more }) } });
  const lack = JSON.stringify([
    name,
    models.map((model) => model.name),
    [...absent.map(({ id }) => id), ...others.map(({ type }) => type)],
  ]);
  if (storedList(storage, key).includes(lack)) return;
  addToStoredList(storage, key, lack, mostKept);
  show({
    severity: "info",
    summary: `This workflow lacks ${lacks}`,
    detail:
      "Open the assistant (Alt+A): “Get all” asks you once what is fetched from where, then makes it run.",
    life: shownFor,
  });
}
