import { expect, it, vi } from "vitest";
import type { LiveNode } from "../page";
import { movingUpAtTheEnd, placeLinks, withoutMovingUp } from "./withoutMovingUp";

function nodeThatHears(comfyDynamic?: LiveNode["comfyDynamic"]) {
  const heard: string[] = [];
  const node = {
    onConnectionsChange: (what: string) => heard.push(what),
    comfyDynamic,
  } as unknown as LiveNode;
  return { node, heard };
}

it("Nodes with a growing row hear of no link that comes back at once, and of each later one", () => {
  const [growing, other] = [nodeThatHears({ autogrow: {} }), nodeThatHears()];
  const tell = (what: string) => {
    growing.node.onConnectionsChange?.(what);
    other.node.onConnectionsChange?.(what);
  };
  expect(() =>
    withoutMovingUp([growing.node, other.node], () => {
      tell("off and on");
      throw new Error("stopped");
    }),
  ).toThrow("stopped");
  tell("later");
  expect([growing.heard, other.heard]).toEqual([["later"], ["off and on", "later"]]);
});

it("Nodes with a growing row hear at the end of the inputs that are open then, the last first", () => {
  vi.stubGlobal("requestAnimationFrame", (callback: () => void) => callback());
  const links: (object | undefined)[] = [{}, {}, {}];
  const heard: unknown[] = [];
  const node = {
    graph: { getLink: () => undefined },
    comfyDynamic: { autogrow: {} },
    inputs: [{ name: "row.0" }, { name: "row.1" }, { name: "row.2" }].map((input) => ({
      ...input,
      link: null,
    })),
    getInputLink: (index: number) => links[index],
    onConnectionsChange: (_: number, index: number, isConnected: boolean) => heard.push([index, isConnected]),
  } as unknown as LiveNode;
  const unlink = (index: number) => {
    links[index] = undefined;
    node.onConnectionsChange?.(1, index, false);
  };
  movingUpAtTheEnd([node], () => {
    for (const index of [0, 1, 2]) unlink(index);
    links[1] = {};
    node.onConnectionsChange?.(1, 1, true);
    expect(heard).toEqual([[1, true]]);
  });
  expect(heard.slice(1)).toEqual([
    [2, false],
    [0, false],
  ]);
  expect(() =>
    movingUpAtTheEnd([node], () => {
      unlink(1);
      throw new Error("stopped");
    }),
  ).toThrow("stopped");
  expect(heard).toHaveLength(3);
});

it("A link leads to the input that holds it, wherever that has moved", () => {
  const link = { id: 7, target_slot: 2 };
  const node = {
    graph: { getLink: (id: number | null) => (id === 7 ? link : undefined) },
    inputs: [
      { name: "row.0", link: null },
      { name: "behind", link: 7 },
    ],
  } as unknown as LiveNode;
  placeLinks(node);
  expect(link.target_slot).toBe(1);
});
