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

it("lets nothing that is paid be allowed for a chat, beside others neither", () => {
  const other: PromptNodes = { "2": { class_type: "Dream", inputs: { prompt: "a cat" } } };
  expect(same(other)).toBeUndefined();
  expect(same({ ...fetching({ url: "http://a" }), ...other })).toBeUndefined();
  expect(same({ "2": { class_type: "RunPython", inputs: { code: "1" } } })).toBeDefined();
});

it("takes a prompt for the same where numbers or harmless texts are others, and for another where links are", () => {
  const prompt = (seed: number, text: string, url: string, source = "1"): PromptNodes => ({
    "1": { class_type: "EmptyImage", inputs: { width: seed } },
    "2": { class_type: "SaveImage", inputs: { images: [source, 0], filename_prefix: text } },
    "3": { class_type: "PictureFromUrl", inputs: { url, seed } },
  });
  const named = (...of: Parameters<typeof prompt>) =>
    identityOf(comfy, [prompt(...of)], riskyNodes(comfy, [prompt(...of)]));
  const asked = named(1, "red", "http://a");
  expect(named(2, "blue", "http://a")).toBe(asked);
  expect(named(1, "red", "http://b")).not.toBe(asked);
  expect(named(1, "red", "http://a", "3")).not.toBe(asked);
});
