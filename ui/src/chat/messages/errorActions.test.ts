import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { errorActions } from "./errorActions";

it.each([
  ["key_refused", { retry: true, settings: true, newChat: false, freeMemory: false, stop: false }],
  ["provider_silent", { retry: true, settings: true, newChat: false, freeMemory: false, stop: false }],
  ["context_overflow", { retry: true, settings: false, newChat: true, freeMemory: false, stop: false }],
  ["too_large", { retry: true, settings: false, newChat: true, freeMemory: false, stop: false }],
  ["comfyui_unreachable", { retry: true, settings: false, newChat: false, freeMemory: false, stop: false }],
  ["model_out_of_memory", { retry: true, settings: true, newChat: false, freeMemory: true, stop: false }],
  ["turn_running", { retry: true, settings: false, newChat: false, freeMemory: false, stop: true }],
  ["not_found", { retry: false, settings: false, newChat: false, freeMemory: false, stop: false }],
  ["invalid_request", { retry: false, settings: false, newChat: false, freeMemory: false, stop: false }],
  [
    "a_code_of_another_version",
    { retry: true, settings: false, newChat: false, freeMemory: false, stop: false },
  ],
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
