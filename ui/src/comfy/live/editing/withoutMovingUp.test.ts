import { expect, it } from "vitest";
import type { LiveNode } from "../page";
import { withoutMovingUp } from "./withoutMovingUp";

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
