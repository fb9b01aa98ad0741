/** ComfyUI's JSON about runs (`/prompt`, `/history`, websocket events), read into our own form. */

import { z } from "zod";
import { fileKind } from "../../../shared/fileKinds";
import type { NodeOutput, NodeProblem, OutputFile, RunError, RunRecord, Submission } from "../../bridge";

export const unknownType = "?";

const problemSchema = z.looseObject({
  message: z.string().catch("Invalid"),
  details: z.string().catch(""),
  extra_info: z.looseObject({ input_name: z.string().optional().catch(undefined) }).catch({}),
});

const nodeErrorsSchema = z.record(
  z.string(),
  z.looseObject({ class_type: z.string().catch(unknownType), errors: z.array(problemSchema).catch([]) }),
);

const acceptedSchema = z.looseObject({
  prompt_id: z.string(),
  node_errors: nodeErrorsSchema.catch({}),
});

const refusedSchema = z.looseObject({
  error: z.union([
    z.string().transform((message) => ({ type: "unknown", message, details: "", extra_info: undefined })),
    z.looseObject({
      type: z.string().catch("unknown"),
      message: z.string().catch("Invalid prompt"),
      details: z.string().catch(""),
      extra_info: z
        .looseObject({ node_id: z.coerce.string(), class_type: z.string().catch(unknownType) })
        .optional()
        .catch(undefined),
    }),
  ]),
  node_errors: nodeErrorsSchema.catch({}),
});

export const executionErrorSchema = z.looseObject({
  prompt_id: z.string().optional(),
  node_id: z.union([z.string(), z.number()]).transform(String).optional(),
  node_type: z.string().optional(),
  exception_type: z.string().optional(),
  exception_message: z.string().catch("unknown error"),
  current_inputs: z.record(z.string(), z.array(z.unknown())).catch({}),
});

/** Longer ones are no names. */
const longestName = 300;

const messageSchema = z.tuple([
  z.string(),
  z.looseObject({ timestamp: z.number().optional(), nodes: z.array(z.coerce.string()).optional().catch([]) }),
]);

const historySchema = z.looseObject({
  prompt: z.array(z.unknown()).catch([]),
  outputs: z.record(z.string(), z.record(z.string(), z.unknown()).catch({})).catch({}),
  status: z
    .looseObject({
      status_str: z.string().catch("success"),
      messages: z.array(messageSchema).catch([]),
    })
    .nullish(),
});

const fileSchema = z.looseObject({
  filename: z.string().min(1),
  subfolder: z.string().catch(""),
  type: z.string().catch("output"),
});

/** The answer to `POST /prompt`; undefined when it is no such answer. */
export function readSubmission(reply: unknown): Submission | undefined {
  const accepted = acceptedSchema.safeParse(reply);
  if (accepted.success)
    return {
      accepted: true,
      promptId: accepted.data.prompt_id,
      problems: readProblems(accepted.data.node_errors),
    };
  const refused = refusedSchema.safeParse(reply);
  if (!refused.success) return undefined;
  const { error, node_errors } = refused.data;
  return {
    accepted: false,
    code: error.type,
    message: sentence(error.message, error.details),
    problems: [...readProblems(node_errors), ...missingType(error)],
  };
}

/** From 0.33 ComfyUI names the first node that it has no class for, apart from the errors of nodes. */
function missingType({ type, extra_info }: z.infer<typeof refusedSchema>["error"]): NodeProblem[] {
  if (type !== "missing_node_type" || !extra_info) return [];
  const { node_id: node, class_type } = extra_info;
  return [{ node, type: class_type, message: "This node type is not installed" }];
}

/** The entry of one prompt in `GET /history/{prompt_id}`. */
export function readRecord(entry: unknown): RunRecord | undefined {
  const parsed = historySchema.safeParse(entry);
  if (!parsed.success) return undefined;
  const { prompt, outputs, status } = parsed.data;
  const messages = status?.messages ?? [];
  const find = (type: string) => messages.find(([name]) => name === type)?.[1];
  const failure = find("execution_error");
  const interruption = find("execution_interrupted");
  const started = find("execution_start")?.timestamp;
  const ended = messages.at(-1)?.[1].timestamp;
  const cached = new Set(find("execution_cached")?.nodes);
  return {
    status: interruption ? "interrupted" : status?.status_str === "error" ? "error" : "success",
    ...(started !== undefined && ended !== undefined && { seconds: (ended - started) / 1000 }),
    outputs: Object.entries(outputs).map(([node, output]) => ({
      ...readOutput(node, nodeType(prompt[2], node), output),
      ...(cached.has(node) && { isCached: true }),
    })),
    ...(failure && { error: readRunError(failure) }),
  };
}

/** An `execution_error` event or message. Tracebacks and tensors in it stay where they are. */
export function readRunError(event: unknown): RunError {
  const parsed = executionErrorSchema.safeParse(event);
  if (!parsed.success) return { message: "ComfyUI reported an error without saying which." };
  const { node_id, node_type, exception_type, exception_message, current_inputs } = parsed.data;
  const texts = Object.entries(current_inputs).flatMap(([input, [value]]) =>
    typeof value === "string" && value.length <= longestName ? [[input, value]] : [],
  );
  return {
    ...(node_id !== undefined && { node: node_id }),
    ...(node_type !== undefined && { type: node_type }),
    ...(exception_type !== undefined && { exception: exception_type }),
    message: exception_message.trim(),
    ...(texts.length > 0 && { texts: Object.fromEntries(texts) }),
  };
}

/** Node errors as ComfyUI's answers and its page hold them. */
export function readProblems(nodeErrors: unknown): NodeProblem[] {
  return Object.entries(nodeErrorsSchema.catch({}).parse(nodeErrors)).flatMap(
    ([node, { class_type, errors }]) =>
      errors.map(({ message, details, extra_info }) => ({
        node,
        type: class_type,
        ...(extra_info.input_name !== undefined && { input: extra_info.input_name }),
        message: sentence(message, withoutName(details, extra_info.input_name)),
      })),
  );
}

/** A node's output holds lists under names of the node's choosing: of files (`images`, `gifs`, `audio`) or of texts. */
function readOutput(node: string, type: string, output: Record<string, unknown>): NodeOutput {
  const items = Object.entries(output).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, unknown] => [key, item]),
  );
  return {
    node,
    type,
    files: items.flatMap(([key, item]) => {
      const file = fileSchema.safeParse(item);
      return file.success ? [readFile(key, file.data)] : [];
    }),
    texts: items.flatMap(([, item]) => (typeof item === "string" ? [item] : [])),
  };
}

function readFile(key: string, { filename, subfolder, type }: z.infer<typeof fileSchema>): OutputFile {
  const kind = fileKind(filename);
  return { kind: kind === "other" && key === "audio" ? "audio" : kind, filename, subfolder, type };
}

function nodeType(prompt: unknown, node: string): string {
  const nodes = z.record(z.string(), z.looseObject({ class_type: z.string() })).safeParse(prompt);
  return (nodes.success && nodes.data[node]?.class_type) || "?";
}

function sentence(message: string, details: string): string {
  const detail = details.trim();
  return detail === "" || message.includes(detail) ? message : `${message.replace(/\.$/, "")}: ${detail}`;
}

/** Details begin with the input's name, alone or before a comma or colon. */
function withoutName(details: string, name: string | undefined): string {
  if (name === undefined || !details.startsWith(name)) return details;
  const rest = details.slice(name.length);
  return rest === "" || /^[,:]/.test(rest) ? rest.slice(1).trim() : details;
}
