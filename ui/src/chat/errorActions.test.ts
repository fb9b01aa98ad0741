import { expect, it } from "vitest";
import { errorActions } from "./errorActions";

it.each([
  ["Enter a valid key for this endpoint in Settings.", { settings: true, newChat: false }],
  ["Retry, or choose a smaller model.", { settings: true, newChat: false }],
  [
    "Shorten the message, start a new chat, or choose a model with a larger window.",
    { settings: true, newChat: true },
  ],
  ["Check that ComfyUI is still running, then try again.", { settings: false, newChat: false }],
  [undefined, { settings: false, newChat: false }],
])("offers what the hint names: %s", (hint, actions) => {
  expect(errorActions({ code: "any", message: "Any.", ...(hint && { hint }) })).toEqual(actions);
});
