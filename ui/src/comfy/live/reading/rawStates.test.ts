import { expect, it } from "vitest";
import type { LiveNodeState, Page } from "../page";
import { pastReactivity } from "./rawStates";

const slot = { name: "image" };
const raw = { title: "One", inputs: [{ __v_raw: slot }], outputs: [slot] } as LiveNodeState;
const watched: LiveNodeState = { __v_raw: { ...raw, inputs: watchedList(raw.inputs) } };

function watchedList(items: LiveNodeState["inputs"]) {
  return Object.assign([], { __v_raw: items });
}

function page(prototype: object) {
  return { liteGraph: { LGraphNode: { prototype } } } as unknown as Page;
}

function node() {
  return { serializeFromStoreState: (state: LiveNodeState): unknown => state };
}

it("gives a node the state that the page watches and its slots, without what watches them", () => {
  const prototype = node();
  const read = () => [watched, raw].map((state) => prototype.serializeFromStoreState(state));
  const bare = { title: "One", inputs: [slot], outputs: [slot] };
  expect(pastReactivity(page(prototype), read)).toEqual([bare, bare]);
  expect(prototype.serializeFromStoreState(watched)).toBe(watched);
});

it("leaves the page as it was where saving fails", () => {
  const prototype = node();
  const { serializeFromStoreState } = prototype;
  const fail = () => {
    throw new Error("a pack");
  };
  expect(() => pastReactivity(page(prototype), fail)).toThrow("a pack");
  expect(prototype.serializeFromStoreState).toBe(serializeFromStoreState);
});

it("only reads on a page that keeps no such states", () => {
  expect(pastReactivity(page({}), () => "read")).toBe("read");
  expect(pastReactivity({ liteGraph: {} } as unknown as Page, () => "read")).toBe("read");
});
