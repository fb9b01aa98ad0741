import { describe, expect, it } from "vitest";
import { parseCompact } from "./compact/parse";
import { workflowRevision } from "./revision";

const text = `1 EmptyImage width=64
2 S1 "mine" image<1
group "All": 1
subgraph S1 "Inner" in(image) out(IMAGE<5)
5 ImageInvert image<input
end`;

const revision = (written: string) => workflowRevision(parseCompact(written));

describe("the revision of a workflow", () => {
  it.each<[string, string]>([
    ["a node is removed", text.replace(/^1 .*\n/, "")],
    ["a value is set", text.replace("width=64", "width=65")],
    ["a title is given", text.replace('"mine"', '"yours"')],
    ["a node is bypassed", text.replace('"mine"', '"mine" bypassed')],
    ["a link is cut", text.replace(" image<1", "")],
    ["something inside a subgraph is", text.replace("5 ImageInvert", "5 ImageInvert muted")],
  ])("changes when %s", (_, changed) => {
    expect(revision(changed)).not.toBe(revision(text));
  });

  it("stays when nodes are moved into a group or out of one", () => {
    expect(revision(text.replace('"All": 1', '"All": 1 2'))).toBe(revision(text));
  });

  it("is eight hex digits", () => {
    expect(revision(text)).toMatch(/^[0-9a-f]{8}$/);
  });
});
