import { expect, it } from "vitest";
import { toastLacks } from "./toastLacks";

const model = {
  ...{ name: "a", file: "a", folder: "vae", url: "", sha256: "" },
  ...{ nodes: [], types: [], instead: [], variants: [] },
};
const pack = (...types: string[]) => ({ id: "", version: "", types, isCore: false, isInstalled: false });

function world(more: { models?: object[]; packages?: object[]; replaced?: object[] }, status = 200) {
  const kept = new Map<string, string>();
  const shown: string[] = [];
  const sent: unknown[] = [];
  const look = (name: string, saved: object = { nodes: [] }) =>
    toastLacks(
      {
        name,
        saved: () => saved,
        hasType: (type) => type === "OfThePage",
        show: ({ summary }) => shown.push(summary),
        fetchApi: async (route, init) => {
          sent.push([route, JSON.parse(String(init?.body))]);
          const body = { models: [], packages: [], memory: null, tooLarge: [], ...more };
          return new Response(JSON.stringify(body), { status });
        },
      },
      {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
      },
    );
  return { look, shown, sent, kept };
}

it("tells once of each workflow what it lacks", async () => {
  const { look, shown, sent } = world({ models: [model], packages: [pack("Gone"), pack("OfThePage")] });
  await look("one", { nodes: [{ id: 1, type: "Gone", extra: "left out" }] });
  await look("one");
  expect(shown).toEqual(["This workflow lacks 1 model and 1 node package"]);
  expect(sent[0]).toMatchObject(["/assistant/missing", { workflow: { nodes: [{ id: 1, type: "Gone" }] } }]);
  expect(JSON.stringify(sent)).not.toContain("left out");
  await look("other");
  expect(shown).toHaveLength(2);
});

it("counts apart what ComfyUI replaces", async () => {
  const { look, shown } = world({
    replaced: [
      { type: "Old", by: "New" },
      { type: "OfThePage", by: "New" },
    ],
  });
  await look("one");
  expect(shown).toEqual(["This workflow lacks 1 node type that ComfyUI replaces"]);
});

it("is quiet where nothing is missing, or only the page knows a type, or the server does not answer", async () => {
  const nothing = world({});
  await nothing.look("one");
  const ofThePage = world({ packages: [pack("OfThePage")] });
  await ofThePage.look("one");
  const refused = world({ models: [model] }, 403);
  await refused.look("one");
  expect([...nothing.shown, ...ofThePage.shown, ...refused.shown]).toEqual([]);
});

it("tells again where what was kept cannot be read", async () => {
  const { look, shown, kept } = world({ models: [model] });
  await look("one");
  kept.set([...kept.keys()][0] ?? "", "{");
  await look("one");
  expect(shown).toHaveLength(2);
});
