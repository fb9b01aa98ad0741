import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { FoundServers } from "./FoundServers";

const shown = (servers: Parameters<typeof FoundServers>[0]["servers"]) =>
  renderToStaticMarkup(<FoundServers servers={servers} baseUrl="" onChoose={() => {}} />).replaceAll(
    /<[^>]+>/g,
    " ",
  );

it("says what each server of this machine has to offer", () => {
  const server = { kind: "any", baseUrl: "http://127.0.0.1:1/v1" };
  const servers = [
    { ...server, label: "One", models: ["qwen3:8b"] },
    { ...server, baseUrl: "http://127.0.0.1:2/v1", label: "Two", models: ["a", "b"] },
    { ...server, baseUrl: "http://127.0.0.1:3/v1", label: "Three", models: [] },
  ];
  expect(shown(servers).replaceAll(/\s+/g, " ")).toBe(
    " Running on this machine: One qwen3:8b Two 2 models Three no model yet ",
  );
});

it("says how to come by a server where none answers, and nothing before anybody has looked", () => {
  expect(shown([])).toContain("ollama pull qwen3");
  expect(shown(undefined)).toBe("");
});
