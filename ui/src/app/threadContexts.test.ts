import { expect, it } from "vitest";
import { createClient } from "../api/client";
import { createContextApi } from "../api/contextApi";
import { createThreadContexts } from "./threadContexts";

const report = { form: "full", estimatedTokens: 100, window: 8_000, working: 4_000, blocks: {} };

function contexts() {
  let asked = 0;
  const api = createContextApi(
    createClient(async (route) => {
      asked++;
      return route.includes("gone") ? new Response("", { status: 404 }) : Response.json(report);
    }),
  );
  return { ...createThreadContexts(api), asked: () => asked };
}

it("keeps the newest report of a stream, and leaves out what is none", () => {
  const { note, reports } = contexts();
  note("t1", { type: "data-context", data: report });
  note("t1", { type: "data-context", data: { ...report, estimatedTokens: 900 } });
  note("t1", { type: "data-context", data: { step: 1 } });
  note("t2", { type: "data-notice", data: report });
  expect([...reports.get()].map(([id, { estimatedTokens }]) => [id, estimatedTokens])).toEqual([["t1", 900]]);
});

it("asks the server for a thread of which nothing is known, once", async () => {
  const { ask, asked, reports } = contexts();
  await ask("t1");
  await ask("t1");
  expect([asked(), reports.get().get("t1")?.estimatedTokens]).toEqual([1, 100]);
});

it("shows nothing of a thread that the server cannot tell about", async () => {
  const { ask, reports } = contexts();
  await ask("gone");
  expect(reports.get().size).toBe(0);
});
