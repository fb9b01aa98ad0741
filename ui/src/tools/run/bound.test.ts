import { expect, it } from "vitest";
import { createFakeComfy } from "../../comfy/fake";
import type { Json } from "../../graph/graph";
import type { PromptNodes } from "../../graph/prompt";
import { hostileNodes } from "../testing/hostileNodes";
import { identityOf, sameRisks } from "./bound";
import { riskyNodes } from "./riskyNodes";

const comfy = createFakeComfy({ definitions: hostileNodes });

const fetching = (inputs: Record<string, Json>, id = "1", title = "A"): PromptNodes => ({
  [id]: { class_type: "PictureFromUrl", inputs, _meta: { title } },
});

const same = (...prompts: PromptNodes[]) => sameRisks(comfy, prompts, riskyNodes(comfy, prompts));

it("names what may be allowed for a chat by node, type and value", () => {
  const fetched = same(fetching({ url: "http://a" }));
  expect(fetched).toBeDefined();
  expect(fetched).toBe(same(fetching({ url: "http://a" }, "1", "B")));
  expect(fetched).not.toBe(same(fetching({ url: "http://b" })));
  expect(fetched).not.toBe(same(fetching({ url: "http://a" }, "2")));
  expect(fetched).not.toBe(same(fetching({ url: "http://a", body: "more" })));
});

it.each([
  ["RunPython", { code: "1" }],
  ["Dream", { prompt: "a cat" }],
  ["DeleteFolder", { folder: "output/old" }],
])("lets nothing of %s be allowed for a chat, beside others neither", (type, inputs) => {
  const other: PromptNodes = { "2": { class_type: type, inputs } };
  expect(same(other)).toBeUndefined();
  expect(same({ ...fetching({ url: "http://a" }), ...other })).toBeUndefined();
});

it("takes a prompt for the same where numbers or harmless texts are others, and for another where links are", () => {
  const prompt = (seed: number, text: string, url: string, source = "1"): PromptNodes => ({
    "1": { class_type: "EmptyImage", inputs: { width: seed } },
    "2": { class_type: "SaveImage", inputs: { images: [source, 0], filename_prefix: text } },
    "3": { class_type: "PictureFromUrl", inputs: { url, seed } },
  });
  const asked = identityOf(comfy, [prompt(1, "red", "http://a")], new Set());
  expect(identityOf(comfy, [prompt(2, "blue", "http://a")], new Set())).toBe(asked);
  expect(identityOf(comfy, [prompt(1, "red", "http://b")], new Set())).not.toBe(asked);
  expect(identityOf(comfy, [prompt(1, "red", "http://a", "3")], new Set())).not.toBe(asked);
});
