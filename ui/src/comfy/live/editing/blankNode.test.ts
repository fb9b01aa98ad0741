import { expect, test, vi } from "vitest";
import type { Page } from "../page";
import { makeBlankNode, newNode } from "./blankNode";

function pageWith(make: () => unknown) {
  const liteGraph = {
    catch_exceptions: true,
    /** As LiteGraph does. */
    createNode() {
      try {
        return make();
      } catch (error) {
        if (!liteGraph.catch_exceptions) throw error;
        console.error(error);
        return null;
      }
    },
  };
  return { liteGraph } as unknown as Page;
}

test("A node that its pack cannot make is none, and the console has no error of it", () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const page = pageWith(() => {
    throw new Error("Invalid input data");
  });

  expect(makeBlankNode(page, "MetadataNode")).toBeNull();
  expect(error).not.toHaveBeenCalled();
  expect(page.liteGraph.catch_exceptions).toBe(true);
});

test.each([
  ["is wide enough for its title", { size: [140, 46], constructor: { nodeData: {} } }, [210, 46]],
  ["is as wide as it is by itself", { size: [315, 120], constructor: { nodeData: {} } }, [315, 120]],
  [
    "is as small as it is by itself where it is the page's own",
    { size: [75, 26], constructor: {} },
    [75, 26],
  ],
])("A new node %s", (_, node, size) => {
  expect(
    newNode(
      pageWith(() => node),
      "VAEDecode",
    ),
  ).toMatchObject({ size });
});

test("A node that can be made is made, and errors are told again afterwards", () => {
  const node = { constructor: {} };
  const page = pageWith(() => node);

  expect(makeBlankNode(page, "Note")).toBe(node);
  expect(page.liteGraph.catch_exceptions).toBe(true);
});
