import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { errorActions } from "./errorActions";

const none = { retry: true, settings: false, models: false, newChat: false, freeMemory: false, stop: false };

it.each([
  ["key_refused", { ...none, settings: true }],
  ["provider_silent", { ...none, settings: true }],
  ["unknown_model", { ...none, models: true }],
  ["no_tool_support", { ...none, models: true }],
  ["context_overflow", { ...none, newChat: true }],
  ["too_large", { ...none, newChat: true }],
  ["comfyui_unreachable", none],
  ["model_out_of_memory", { ...none, settings: true, freeMemory: true }],
  ["turn_running", { ...none, stop: true }],
  ["not_found", { ...none, retry: false }],
  ["invalid_request", { ...none, retry: false }],
  ["unknown_thread", { ...none, retry: false, newChat: true }],
  ["a_code_of_another_version", none],
])("offers what puts %s right, whatever its sentences say", (code, actions) => {
  expect(errorActions({ code })).toEqual(actions);
});

it("knows only codes of the documented API, and those that the panel itself gives", () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
  const codes = [...read("errorActions.ts").matchAll(/"([a-z]+(?:_[a-z]+)+)"/g)].map(([, code]) => code);
  const documented = read("../../../../docs/api.md");
  const own = read("../../api/errors.ts");
  expect(codes.length).toBeGreaterThan(9);
  expect(
    codes.filter((code) => !documented.includes(`\`${code}\``) && !own.includes(`code: "${code}"`)),
  ).toEqual([]);
});
