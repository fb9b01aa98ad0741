import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  isToolUIPart,
  parseJsonEventStream,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
  uiMessageChunkSchema,
} from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { failureCodes } from "./shared/toolCalls";

const folder = join(import.meta.dirname, "../../contract/stream");
const files = readdirSync(folder).filter((name) => name.endsWith(".sse"));

const refusal = z.object({ ok: z.literal(false), code: z.enum(failureCodes), error: z.string() });

/** Reads a reply as the SDK's chat does: any chunk that it does not know ends the reading with an error. */
async function readReply(text: string) {
  const chunks: UIMessageChunk[] = [];
  const reader = parseJsonEventStream({
    stream: new Blob([text]).stream(),
    schema: uiMessageChunkSchema,
  }).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!next.value.success) throw next.value.error;
    chunks.push(next.value.value);
  }
  return chunks;
}

async function lastMessage(chunks: readonly UIMessageChunk[], earlier: UIMessage | undefined) {
  let message: UIMessage | undefined;
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const messages = readUIMessageStream({ stream, ...(earlier && { message: earlier }), onError: () => {} });
  for await (const latest of messages) message = latest;
  return message;
}

function openParts(message: UIMessage): string[] {
  return message.parts.flatMap((part) =>
    "state" in part && (part.state === "streaming" || part.state === "input-streaming") ? [part.type] : [],
  );
}

describe("every recorded stream", () => {
  it("is there", () => {
    expect(files.length).toBeGreaterThan(0);
  });

  it.each(files)("%s parses, closes what it opened, and ends", async (file) => {
    const chunks = await readReply(readFileSync(join(folder, file), "utf8"));
    const types = chunks.map(({ type }) => type);
    const message = await lastMessage(chunks, undefined);
    expect(types[0]).toBe("start");
    expect(types.at(-1)).toMatch(/^(?:finish|error)$/);
    expect(message && openParts(message)).toEqual([]);
    if (types.includes("error")) expect(types).toContain("data-error");
    // assistant-ui reads other names as its own, and fails when they have another shape.
    expect(Object.keys(message?.metadata ?? {}).filter((name) => name !== "custom")).toEqual([]);
    expect(message?.metadata).toMatchObject({ custom: { slim: false } });
  });
});

it("tells a call that was not run by the code of its result, and leaves it to nobody to run", async () => {
  const chunks = await readReply(readFileSync(join(folder, "many-parallel-calls.sse"), "utf8"));
  const calls = (await lastMessage(chunks, undefined))?.parts.filter(isToolUIPart) ?? [];
  const refused = calls.flatMap(({ output }) => {
    const { success, data } = refusal.safeParse(output);
    return success ? [data.code] : [];
  });
  expect(refused).toEqual(Array.from({ length: 4 }, () => "too-many-calls"));
  expect(calls.map(({ state }) => state)).toEqual(calls.map(() => "output-available"));
  expect(calls.filter(({ providerExecuted }) => !providerExecuted)).toEqual([]);
});
