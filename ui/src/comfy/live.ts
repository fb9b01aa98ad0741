/** The bridge to the ComfyUI page that this code runs in: takes its globals and hands them to `live/` as a `Page`. */

import type { JsonObject } from "../graph/uiWorkflow";
import type { Comfy } from "./bridge";
import { allOrNothing } from "./live/editing/allOrNothing";
import { createGraphEditor } from "./live/editing/editGraph";
import { nodesMadeAs } from "./live/editing/madeAs";
import { quiet } from "./live/editing/quiet";
import { movingUpAtTheEnd } from "./live/editing/withoutMovingUp";
import { offerUpload } from "./live/files/offerUpload";
import { readPicture } from "./live/files/picture";
import { refreshChoices } from "./live/files/refreshChoices";
import { uploadFile } from "./live/files/upload";
import { createMarks } from "./live/marks";
import type { LiveApp, LiveLiteGraph, Page } from "./live/page";
import { nodesOfAllGraphs, openGraph, openPlace, rootGraph } from "./live/page";
import { createPageTypes } from "./live/pageTypes";
import { hearPerson } from "./live/person";
import { readDefinition } from "./live/reading/definition";
import { createNodeShapes } from "./live/reading/nodeShapes";
import { readBlankNode, readGraph, readOneNode, readScope } from "./live/reading/readGraph";
import { createReading } from "./live/reading/reading";
import { createReplacements } from "./live/reading/replacements";
import { readUnwired } from "./live/reading/unwired";
import { createLiveQueue } from "./live/running/queue";
import { noteRunWrites } from "./live/running/runWrites";
import { showState } from "./live/undo/showState";
import { createUndoSteps } from "./live/undo/undo";
import { createBringIntoView } from "./live/view";
import { fetchFile, fetchTemplate } from "./live/workflows/fetchWorkflow";
import { loadWorkflow } from "./live/workflows/loadWorkflow";
import { reload } from "./live/workflows/reload";
import { readSavedWorkflow } from "./live/workflows/savedWorkflow";
import { createTabOrder, openTab, readTabs } from "./live/workflows/tabs";
import { createWorkflowKeys } from "./live/workflows/workflowKeys";

declare global {
  interface Window {
    app?: LiveApp & { api: Page["api"] };
    LiteGraph?: LiveLiteGraph;
    /** Of the frontend. */
    __COMFYUI_FRONTEND_VERSION__?: string;
  }
}

/** Subgraphs are registered as node types under the ids of their definitions. */
const subgraphType = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Call it once ComfyUI has set its page up: `window.app` appears only then. */
export function createLiveComfy(): Comfy {
  const page = livePage();
  const editor = createGraphEditor(page);
  const registered = () => page.liteGraph.registered_node_types;
  const activeWorkflow = () => page.app.extensionManager?.workflow?.activeWorkflow;
  const keyOf = createWorkflowKeys();
  const reading = createReading(page);
  const openKey = () => {
    const workflow = activeWorkflow();
    return workflow ? keyOf(workflow) : "";
  };
  const listeners: ((turns: readonly string[]) => void)[] = [];
  const hear = (listener: () => void) => hearPerson(window, listener);
  const undo = createUndoSteps({
    quiet: () => quiet(page),
    hearPerson: hear,
    atOnce: reading.atOnce,
    capture: reading.capture,
    madeAs: () => nodesMadeAs(page),
    byRuns: noteRunWrites(page, hear, activeWorkflow),
    active: activeWorkflow,
    all: () => page.app.extensionManager?.workflow?.openWorkflows ?? [],
    show: (workflow, state, steps, madeAs) => showState(page, workflow, state, steps, madeAs),
    open: (name, state, steps) => loadWorkflow(page, state as JsonObject, steps, { newTab: name }),
    close: async (workflow) => page.app.extensionManager?.workflow?.closeWorkflow?.(workflow),
    wentTo(turns) {
      unmark();
      if (turns.length > 0) for (const listener of listeners) listener(turns);
    },
  });
  const tabOrder = createTabOrder();
  const replacements = createReplacements(page, (type) => Object.hasOwn(registered(), type));
  const mark = createMarks(page);
  const unmark = () => mark(undefined, { added: [], changed: [] });
  const nodeDefinition = (type: string) => {
    const known = Object.hasOwn(registered(), type) ? registered()[type] : undefined;
    return known && readDefinition(type, known.title ?? type, known.nodeData ?? {});
  };

  return {
    workflow() {
      const workflow = activeWorkflow();
      const key = openKey();
      tabOrder.see(key);
      return {
        key,
        name: workflow?.filename ?? "Unsaved Workflow",
        ...(workflow?.isTemporary === false && { file: workflow.path }),
        id: rootGraph(page).id,
        isModified: workflow?.isModified ?? false,
      };
    },
    hear: (name, listener) =>
      page.api.addEventListener(name, (event) => listener((event as CustomEvent).detail)),
    tabs: () => tabOrder.lastUsedFirst(readTabs(page, keyOf)),
    openTab(key) {
      undo.endEdit();
      return openTab(page, keyOf, key);
    },
    graph: (place) => readGraph(page, place),
    briefly: (place) => readGraph(page, place, { isBrief: true }),
    openPlace: () => openPlace(page),
    unwired: () => readUnwired(page, (type) => nodeDefinition(type)?.isOutput ?? false),
    scope: (place) => readScope(page, place),
    node: (id, place) => readOneNode(page, id, place),
    nodeTypes: () => Object.keys(registered()).filter((type) => !subgraphType.test(type)),
    nodeDefinition,
    learnReplacements: replacements.learn,
    replacementOf: replacements.of,
    pageTypes: createPageTypes(page, subgraphType),
    refreshChoices: (types) => refreshChoices(page, types),
    offerPicture: (name) => offerUpload(page, "image", name),
    blankNode: (type, values) => readBlankNode(page, type, values),
    edit(change, { turn } = {}) {
      try {
        const atOnce = () => movingUpAtTheEnd(nodesOfAllGraphs(page), () => change(editor));
        return undo.asUndoStep(() => allOrNothing(page, reading, atOnce), turn);
      } finally {
        openGraph(page).setDirtyCanvas(true);
      }
    },
    finished: undo.finished,
    mark,
    bringIntoView: createBringIntoView(page),
    turnState: undo.turnState,
    keptTurns: undo.keptTurns,
    restoreTurns: undo.restoreTurns,
    async toggleTurn(turn) {
      const inTheWay = await undo.toggleTurn(turn);
      if (inTheWay.length === 0) unmark();
      return inTheWay;
    },
    hearTurns: (listener) => void listeners.push(listener),
    whole: {
      read: () => readSavedWorkflow(page, reading.read()),
      shape: createNodeShapes(page),
      load: (workflow, options) => loadWorkflow(page, workflow, undo, options),
      template: (name) => fetchTemplate(page, name),
      file: (file) => fetchFile(page, file),
    },
    queue: createLiveQueue(page, undo.runAsTurn, openKey),
    viewUrl: ({ filename, subfolder, type }) =>
      page.api.apiURL(`/view?${new URLSearchParams({ filename, subfolder, type })}`),
    picture: (file, limits) => readPicture(page.api, file, limits),
    upload: (file) => uploadFile(page, file),
    reload: () => reload(page),
  };
}

function livePage(): Page {
  const { app, LiteGraph: liteGraph, __COMFYUI_FRONTEND_VERSION__: version } = window;
  if (!app || !liteGraph)
    throw new Error(
      "ComfyUI's page is not ready: window.app is missing. Wait until it has loaded, then try again.",
    );
  return { app, api: app.api, liteGraph, ...(version !== undefined && { version }) };
}
