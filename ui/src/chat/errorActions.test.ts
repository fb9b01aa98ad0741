import { expect, it } from "vitest";
import { errorActions } from "./errorActions";

it.each([
  ["key_refused", { settings: true, newChat: false }],
  ["provider_silent", { settings: true, newChat: false }],
  ["context_overflow", { settings: false, newChat: true }],
  ["comfyui_unreachable", { settings: false, newChat: false }],
  ["a_code_of_another_version", { settings: false, newChat: false }],
])("offers what puts %s right, whatever its sentences say", (code, actions) => {
  expect(errorActions({ code })).toEqual(actions);
});
