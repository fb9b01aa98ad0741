import { describe, expect, it } from "vitest";
import { disconnectNodes } from "./disconnectNodes";
import { testCalls } from "./testing/testCall";

describe("disconnecting an input", () => {
  it("takes its link away and tells where it came from", async () => {
    const { call, lines } = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    expect(await call(disconnectNodes, { toNode: 2, toInput: "images" })).toEqual({
      ok: true,
      summary:
        "Disconnected 1.IMAGE from 2.images. Still unconnected: 2.images (IMAGE) needs a source, 1 EmptyImage is used by nothing now.",
      told: ["changes", "from", "to", "stillUnconnected"],
      data: {
        workflow: "Test",
        from: "1.IMAGE",
        to: "2.images",
        changes: { added: {}, changed: { "2": "SaveImage -images<1" }, removed: {} },
        stillUnconnected: ["2.images (IMAGE) needs a source", "1 EmptyImage is used by nothing now"],
      },
    });
    expect(lines()).toEqual(["1 EmptyImage >IMAGE", "2 SaveImage images<?"]);
  });

  it("leaves the node's other links alone", async () => {
    const { call, lines } = testCalls(
      ["EmptyImage", "SolidMask", "JoinImageWithAlpha"],
      ["1.IMAGE>3.image", "2.MASK>3.alpha"],
    );
    await call(disconnectNodes, { toNode: "3", toInput: "alpha" });
    expect(lines()[2]).toBe("3 JoinImageWithAlpha image<1 alpha<? >IMAGE");
  });

  it("refuses an input that has no link, naming those that have", async () => {
    const { call } = testCalls(["EmptyImage", "SolidMask", "JoinImageWithAlpha"], ["1.IMAGE>3.image"]);
    expect(await call(disconnectNodes, { toNode: "3", toInput: "alpha" })).toEqual({
      ok: false,
      error: "Nothing is connected to alpha of JoinImageWithAlpha (node 3).",
      hint: "Connected inputs: image.",
    });
  });

  it("offers the only link of a node that has no such input", async () => {
    const { call } = testCalls(
      ["EmptyImage", "SolidMask", "JoinImageWithAlpha", "SaveImage"],
      ["1.IMAGE>3.image", "2.MASK>3.alpha", "3.IMAGE>4.images"],
    );
    expect(await call(disconnectNodes, { toNode: "4", toInput: "pixels" })).toMatchObject({
      ok: false,
      sendInstead: { toNode: "4", toInput: "images" },
    });
    expect(await call(disconnectNodes, { toNode: "3", toInput: "pixels" })).not.toHaveProperty("sendInstead");
  });
});
