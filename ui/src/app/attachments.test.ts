import type { PendingAttachment } from "@assistant-ui/react";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { createFakeComfy } from "../comfy/fake";
import { createAttachments } from "./attachments";

beforeAll(() => {
  vi.stubGlobal("location", { href: "http://127.0.0.1:8188/" });
});

async function attached(file: File): Promise<PendingAttachment[]> {
  const states: PendingAttachment[] = [];
  const adding = createAttachments(createFakeComfy(), async (name) => `[Page 1]\nText of ${name}.`).add({
    file,
  });
  if (!(Symbol.asyncIterator in adding)) throw new Error("expected the states one by one");
  for await (const state of adding) states.push(state);
  return states;
}

const workflow = JSON.stringify({ nodes: [{ id: 1, type: "EmptyImage" }], links: [] });

describe("an attached file", () => {
  it.each([
    ["notes.md", "", "text/plain"],
    ["prompts.json", "application/json", "application/json"],
    ["cats.txt", "text/plain", "text/plain"],
  ])("travels in the message where it is a text and no workflow: %s", async (name, type, mimeType) => {
    const states = await attached(new File(['{"cats": "7 äöü"}'], name, { type }));
    expect(states[1]).toMatchObject({
      name,
      contentType: mimeType,
      content: [
        { type: "file", mimeType, data: `data:${mimeType},${encodeURIComponent('{"cats": "7 äöü"}')}` },
      ],
    });
  });

  it.each([
    ["paper.pdf", "application/pdf"],
    ["paper.PDF", ""],
  ])("travels as the text that the server reads of it where it is a PDF: %s", async (name, type) => {
    const states = await attached(new File(["%PDF-1.4"], name, { type }));
    const data = `data:text/plain,${encodeURIComponent(`[Page 1]\nText of ${name}.`)}`;
    expect(states[1]).toMatchObject({ name, content: [{ type: "file", mimeType: "text/plain", data }] });
  });

  it("is refused where it is a text that no model could read", async () => {
    const file = new File(["x".repeat(1_000_001)], "long.txt", { type: "text/plain" });
    await expect(attached(file)).rejects.toThrow("it has 1000001 characters; at most 1000000 can be read.");
  });

  it("is named by its place in ComfyUI's input folder once it is there", async () => {
    const states = await attached(new File([workflow], "cats.json", { type: "application/json" }));
    expect(states.map(({ name, status }) => [name, status.type])).toEqual([
      ["cats.json", "running"],
      ["input/cats.json", "requires-action"],
    ]);
    expect(states[1]?.content).toEqual([
      {
        type: "file",
        mimeType: "application/json",
        data: "http://127.0.0.1:8188/api/view?filename=cats.json&subfolder=&type=input",
      },
    ]);
  });

  it("goes along as a small picture where it is an image", async () => {
    const states = await attached(new File(["…"], "cat.png", { type: "image/png" }));
    expect(states[1]).toMatchObject({
      name: "input/cat.png",
      contentType: "image/jpeg",
      content: [{ type: "image", image: "data:image/jpeg;base64," }],
    });
  });
});
