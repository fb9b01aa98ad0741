import { expect, it } from "vitest";
import { setWidget } from "../editing/setWidget";
import type { LiveNode, LiveWidget, Page } from "../page";
import { awaitsChoices, fetchListsAgain, listsFetched, loadWithLists } from "./fetchedLists";

const remote = { route: "/files" };
const nodeData = { inputs: { image: { type: "COMBO", remote }, upload: { type: "IMAGEUPLOAD", remote } } };

/** Nodes as a page of 1.32 has them: the first file goes into each once its list has come, whatever it holds. */
function pageWith(files: string[]) {
  let list: string[] | undefined;
  let isFetching = false;
  const nodes: LiveNode[] = [];
  const makeNode = () => {
    let isNew = true;
    const widget = { name: "image", type: "combo", value: "Loading..." } as LiveWidget;
    const look = () => {
      if (!list && !isFetching) {
        isFetching = true;
        setTimeout(() => {
          list = [...files];
          isFetching = false;
        }, 5);
      }
      if (list && isNew) {
        isNew = false;
        void Promise.resolve().then(() => {
          widget.value = list?.[0];
        });
      }
      return list ?? "Loading...";
    };
    widget.options = Object.defineProperty({}, "values", { get: look });
    widget.refresh = () => {
      list = undefined;
      look();
    };
    const button = { name: "upload", type: "button" };
    return { size: [1, 1], constructor: { nodeData }, widgets: [widget, button] } as unknown as LiveNode;
  };
  const graph = { nodes, setDirtyCanvas: () => {} };
  const page = {
    app: { rootGraph: graph, canvas: {} },
    liteGraph: { createNode: makeNode, registered_node_types: { LoadImageOutput: { nodeData } } },
  } as unknown as Page;
  const add = () => {
    const node = Object.assign(makeNode(), { graph });
    nodes.push(node);
    return { node, widget: node.widgets?.[0] as LiveWidget };
  };
  return { page, add };
}

it("waits for the choice that the page makes once the list has come", async () => {
  const { page, add } = pageWith(["new.png", "old.png"]);
  const { node, widget } = add();
  expect(awaitsChoices(node, widget)).toBe(true);
  await listsFetched(page);
  expect(widget.value).toBe("new.png");
  expect(awaitsChoices(node, widget)).toBe(false);
});

it("keeps what a widget was given, and nothing that stood there before", async () => {
  const { page, add } = pageWith(["new.png", "old.png"]);
  const { node, widget } = add();
  setWidget(page, node, "image", "old.png");
  await listsFetched(page);
  expect(widget.value).toBe("old.png");
  widget.value = "new.png";
  await listsFetched(page);
  expect(widget.value).toBe("new.png");
});

it("waits no longer once the person does something, and then puts nothing back", async () => {
  const { page, add } = pageWith(["new.png"]);
  const { node, widget } = add();
  setWidget(page, node, "image", "old.png");
  await listsFetched(page, () => true);
  await listsFetched(page);
  expect(widget.value).toBe("new.png");
});

it("fetches a list anew", async () => {
  const files = ["old.png"];
  const { page, add } = pageWith(files);
  const { widget } = add();
  expect(await fetchListsAgain(page, [])).toBe(false);
  expect(await fetchListsAgain(page, ["LoadImageOutput"])).toBe(true);
  files.unshift("new.png");
  expect(await fetchListsAgain(page, ["LoadImageOutput"])).toBe(true);
  expect(widget.options?.values).toEqual(["new.png", "old.png"]);
});

it("keeps what a loaded workflow has, also inside its subgraphs", async () => {
  const { page, add } = pageWith(["new.png", "old.png"]);
  const load = async () => {
    const inside = { id: "s", nodes: [Object.assign(add().node, { id: 1 })] };
    const nodes = [Object.assign(add().node, { id: 1 }), Object.assign(add().node, { id: 2 })];
    Object.assign(page.app.rootGraph ?? {}, { nodes, subgraphs: new Map([["s", inside]]) });
    return [...nodes, ...inside.nodes].map(({ widgets }) => widgets?.[0]);
  };
  let widgets: Awaited<ReturnType<typeof load>> = [];
  page.app.loadGraphData = async () => {
    widgets = await load();
  };
  const saved = {
    nodes: [{ id: 1, widgets_values: ["old.png", "image"] }, { id: 2 }],
    definitions: { subgraphs: [{ id: "s", nodes: [{ id: 1, widgets_values: ["older.png"] }] }] },
  };
  await loadWithLists(page, saved, true, false, null, {});
  expect(widgets.map((widget) => widget?.value)).toEqual(["old.png", "new.png", "older.png"]);
});
