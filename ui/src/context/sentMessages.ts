/** Messages of a request, as the provider was sent them, cut into what can be shown one below the other. */

import { isObject } from "../shared/json";

export interface SentPiece {
  label: string;
  text: string;
}

export interface SentMessage {
  role: string;
  pieces: SentPiece[];
}

type Json = Readonly<Record<string, unknown>>;

export function readSentMessage(message: Json): SentMessage {
  const { role, content, tool_calls: calls, tool_call_id: answered, ...rest } = message;
  return {
    role: typeof role === "string" ? role : "unknown",
    pieces: [
      ...contentPieces(content, answered),
      ...(Array.isArray(calls) ? calls.map(callPiece) : calls == null ? [] : [piece("tool_calls", calls)]),
      ...Object.entries(rest).map(([name, value]) => piece(name, value)),
    ],
  };
}

function contentPieces(content: unknown, answered: unknown): SentPiece[] {
  const label = typeof answered === "string" ? `answers ${answered}` : "";
  if (content === null || content === undefined || content === "") return [];
  if (!Array.isArray(content)) return [{ label, text: asText(content) }];
  return content.map((part) =>
    isObject(part) && typeof part.text === "string"
      ? { label: label || "text", text: part.text }
      : piece(isObject(part) ? String(part.type ?? "part") : "part", part),
  );
}

function callPiece(call: unknown): SentPiece {
  if (!isObject(call) || !isObject(call.function)) return piece("call", call);
  const { name, arguments: given } = call.function;
  return { label: `calls ${String(name)} as ${String(call.id)}`, text: asText(given) };
}

function piece(label: string, value: unknown): SentPiece {
  return { label, text: asText(value) };
}

/** A text as it is, all else as JSON that people read. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** A tool's name and description, from its schema in whatever form it was sent. */
export function readSentTool(tool: Json): { name: string; description: string } {
  const declared = isObject(tool.function) ? tool.function : tool;
  return {
    name: typeof declared.name === "string" ? declared.name : "tool",
    description: typeof declared.description === "string" ? declared.description : "",
  };
}
