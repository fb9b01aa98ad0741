import { describe, expect, it } from "vitest";
import { readSentMessage, readSentTool } from "./sentMessages";

describe("readSentMessage", () => {
  it.each([
    [
      "a text",
      { role: "system", content: "You build workflows." },
      { role: "system", pieces: [{ label: "", text: "You build workflows." }] },
    ],
    [
      "text and pictures",
      {
        role: "user",
        content: [
          { type: "text", text: "Look." },
          { type: "image_url", image_url: { url: "data:…" } },
        ],
      },
      {
        role: "user",
        pieces: [
          { label: "text", text: "Look." },
          {
            label: "image_url",
            text: '{\n  "type": "image_url",\n  "image_url": {\n    "url": "data:…"\n  }\n}',
          },
        ],
      },
    ],
    [
      "calls",
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "c1", type: "function", function: { name: "addNode", arguments: '{"type":"A"}' } },
        ],
      },
      { role: "assistant", pieces: [{ label: "calls addNode as c1", text: '{"type":"A"}' }] },
    ],
    [
      "a result",
      { role: "tool", tool_call_id: "c1", content: "Added node 1." },
      { role: "tool", pieces: [{ label: "answers c1", text: "Added node 1." }] },
    ],
    [
      "what it does not know, rather than leave it out",
      { role: "assistant", content: "", reasoning_content: "Hm.", tool_calls: "odd" },
      {
        role: "assistant",
        pieces: [
          { label: "tool_calls", text: "odd" },
          { label: "reasoning_content", text: "Hm." },
        ],
      },
    ],
  ])("shows %s", (_, message, expected) => {
    expect(readSentMessage(message)).toEqual(expected);
  });
});

it.each([
  [{ type: "function", function: { name: "addNode", description: "Add." } }],
  [{ name: "addNode", description: "Add." }],
])("finds a tool's name and description in %j", (tool) => {
  expect(readSentTool(tool)).toEqual({ name: "addNode", description: "Add." });
});
