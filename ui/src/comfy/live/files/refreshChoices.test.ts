import { expect, it } from "vitest";
import type { LiveGraph, Page } from "../page";
import { refreshChoices } from "./refreshChoices";

const definition = (files: string[]) => ({
  name: "Stack",
  input: { required: { lora: [files, {}] } },
  output: [],
});

it("takes over new files where a pack has registered the definition in the server's form", async () => {
  const files = ["a.safetensors"];
  const graph = { id: "", nodes: [] } as unknown as LiveGraph;
  const fetchApi = async () =>
    new Response(JSON.stringify({ Stack: definition(["a.safetensors", "b.safetensors"]) }));
  const page = {
    app: { rootGraph: graph },
    api: { fetchApi },
    liteGraph: { registered_node_types: { Stack: { nodeData: definition(files) } } },
  } as unknown as Page;
  expect(await refreshChoices(page, ["Stack"])).toBe(true);
  expect(files).toEqual(["a.safetensors", "b.safetensors"]);
  expect(await refreshChoices(page, ["Stack"])).toBe(false);
});
