/** The shape of a browser tool, and the one way to run it. */

import type { ReactNode } from "react";
import { z } from "zod";
import type { Comfy, GraphEditor, Workflow } from "../comfy/bridge";
import { nameWithFolder } from "../graph/fileChoices";
import type { GraphChangesTold } from "../shared/graphChanges";
import { reasonOf } from "../shared/reasonOf";
import { sentences } from "../shared/sentences";
import type { ApprovalRequest, FailureCode, ToolProgress } from "../shared/toolCalls";
import type { Ask } from "./missing/ask";
import { onOneWorkflow, SwitchedAway } from "./onOneWorkflow";
import { otherWorkflow } from "./read/sight";
import { newSources, openWorkflow } from "./read/sources";
import { type Room, roomOf } from "./room";
import { Declined, declined, type FreshChoice, failure, otherWorkflowOpen, ToolError } from "./toolError";
import { isEmpty } from "./values/arguments";

export { declined, ToolError } from "./toolError";

export type ToolResult<Data = unknown> = ToolSuccess<Data> | ToolFailure;

export interface ToolSuccess<Data = unknown> {
  ok: true;
  /** One line with ids and names: what is left of the result when the conversation gets long. */
  summary: string;
  data: Data;
  /**
   * Fields of `data` of which the summary tells all, or ways to a part of one (`["changes", "changed", "3"]`,
   * `["problems", "0"]`): they are for the panel, and models read them once.
   */
  told?: readonly Told[];
  /** Where what others wrote stood: neither the person nor the model. */
  outside?: readonly string[];
  /** Of these, in a word each, what no result before has told: what models are told, where that is less. */
  newOutside?: readonly string[];
}

export type Told = string | readonly string[];

export interface ToolFailure {
  ok: false;
  /** For programs; models read `error` and `hint`. */
  code?: FailureCode;
  error: string;
  hint?: string;
  /** What was done all the same. */
  changes?: GraphChangesTold;
  /** The arguments with which the same tool would do what was meant. */
  sendInstead?: object;
  outside?: readonly string[];
  newOutside?: readonly string[];
}

export interface ToolContext {
  signal: AbortSignal;
  /** What the model may be shown of the result; tools fit theirs to it by whole entries. */
  room: Room;
  onProgress(progress: ToolProgress): void;
  /** What is done by now, in a few words; told to the model where the person stops the call. */
  hasDone?(what: string): void;
  /**
   * Before anything of weight: whether the person allows it. True at once in Auto mode unless `always`; false after a
   * Stop. A tool that hears no returns `declined`.
   */
  confirm(request: ApprovalRequest): Promise<boolean>;
  /** Whether the model sees images; undefined where that is not known. */
  seesImages?(): Promise<boolean | undefined>;
  /**
   * The whole text of an earlier result or message, by its handle (`r12`, `u3`). Throws a ToolError that says which
   * handles there are. Undefined outside a conversation.
   */
  readBack?(ref: string): Promise<string>;
  /** Asks the server of this page. Undefined where there is none. */
  ask?: Ask;
  /** The conversation that the call belongs to. */
  thread?: string;
  /** Undoes the newest turn that changed something; what is in the way, if anything. Undefined: there is none. */
  undo?(): Promise<readonly string[] | undefined>;
  /** Where text by others stood that the model had read before. */
  outside?: readonly string[];
  /** Names the turn: all its edits become one undo step. */
  turn?: string;
  /**
   * Where the page is loaded anew, the same call is made again there, with `note`, which is JSON, as `outlived`;
   * undefined takes it back.
   */
  outlive?(note: unknown): void;
  outlived?: unknown;
  /** The tool has opened another workflow, on which the turn goes on. */
  follow?(workflow: string): void;
  /** `Comfy.workflow().key` when the turn began; with another workflow on the canvas, tools refuse to act. */
  workflow?: string;
  /** The name of the workflow for which another page began the turn, where that is not open here. */
  meant?: string;
  /** The name of the workflow that earlier results of the conversation tell of last. */
  lastRead?: string | undefined;
}

/** On the open workflow: what is told of a call once the conversation around it is condensed. */
export type Effect = "reads" | "edits" | "runs" | "builds and runs";

/**
 * How small models are offered a tool. They fill in every optional argument that they are offered, with invented
 * values: so they are offered what is required, and beyond that only `optional`.
 */
export interface SlimForm {
  /** No other model is offered the tool. */
  only?: true;
  /** They choose a tool by its description, so what is left to another tool is said in theirs. */
  description?: string;
  optional?: readonly string[];
}

/** All there is to know of a tool; `contract/tools.json` carries it to the server. */
export interface Tool<Input = unknown, Data = unknown> {
  name: string;
  description: string;
  input: z.ZodType<Input>;
  effect: Effect;
  /** Of what is free for a result: all that a step may take, where others get a third. */
  share?: "most";
  /** Arguments as some models write them, made into those that are announced. */
  usual?(written: { [argument: string]: unknown }): object;
  /** Arguments that are written as they should be, for a model whose own were not. */
  example?(written: { [argument: string]: unknown }): string;
  /** Small models are offered only the tools that have one. */
  slim?: SlimForm;
  /** Whether a call concerns what the model has read of the open workflow. By default all do that change or run it. */
  needsReading?(args: Input): boolean;
  /** Whether a call goes to another workflow. */
  opensOther?(args: Partial<Input>): boolean;
  run(args: Input, comfy: Comfy, context: ToolContext): Promise<ToolResult<Data>>;
  /** Whose words a result brings, where they are others' and not those of the open workflow. */
  outside?(args: Input, data: Data): string | undefined;
  /** One line while it runs, from arguments that may still be streaming in: "Add KSampler". */
  label(args: Partial<Input>): string;
  /** What a person reads of a result, where the summary says what only models need. The data may be of an older chat. */
  outcome?(data: unknown): string | undefined;
  /** Shown under the line. `freeMemory` has models leave the graphics memory. */
  render?(props: {
    args: Partial<Input>;
    result?: ToolResult<Data>;
    freeMemory?: (() => Promise<void>) | undefined;
  }): ReactNode;
}

export function defineTool<Input, Data>(tool: Tool<Input, Data>): Tool<Input, Data> {
  return tool;
}

/** Tokens of a result that are kept free for its label. */
const labelTokens = 20;

/**
 * Run a tool on arguments as a model wrote them; never throws. Every result is labelled: whichever it is, it may quote
 * the workflow.
 */
export async function runTool(
  tool: Tool,
  rawArgs: unknown,
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult> {
  // What the page before has begun goes on by itself: it has to be ended.
  if (context.signal.aborted && context.outlived === undefined)
    return { ...failure("Stopped by the user before it began; nothing was changed."), code: "stopped" };
  const room = roomOf(context.room.tokens - labelTokens);
  const result = await carryOut(tool, rawArgs, comfy, { ...context, room });
  const outside = [...(result.outside ?? []), openWorkflow];
  const newOutside = newSources(outside, context.outside);
  return { ...result, outside, ...(newOutside.join() !== outside.join() && { newOutside }) };
}

async function carryOut(
  tool: Tool,
  rawArgs: unknown,
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult> {
  const written = withoutNulls(rawArgs ?? {});
  const usual = tool.usual?.(Object(written)) ?? written;
  const args = tool.input.safeParse(usual);
  if (!args.success)
    return failure(`The arguments of ${tool.name} do not fit: ${problems(args.error)}.`, usage(tool, usual));
  try {
    const open = comfy.workflow();
    const acting = tool.effect === "reads" ? undefined : onOneWorkflow(comfy, context);
    const run = (bridge: Comfy) =>
      withFreshChoices(bridge, () => tool.run(args.data, bridge, acting ?? context));
    const goesOn = context.outlived !== undefined;
    if (!goesOn && context.meant !== undefined)
      return otherWorkflowOpen(
        `This turn began on "${context.meant}", in a page that is gone; open here is "${open.name}". Nothing was done.`,
        "Ask the user which workflow to work on.",
      );
    if (!goesOn && context.workflow !== undefined && context.workflow !== open.key)
      return otherWorkflowOpen(
        `The user switched to another workflow (${open.name}) after asking; nothing was changed.`,
        "Ask which workflow to work on.",
      );
    const other =
      !goesOn && tool.effect !== "reads" && (tool.needsReading?.(args.data) ?? true)
        ? otherWorkflow(comfy, context)
        : undefined;
    if (other !== undefined)
      return otherWorkflowOpen(
        `Now open: "${open.name}"; you last read "${other}". Nothing was done.`,
        "Call getWorkflowInfo, then go on in the one that the user means.",
      );
    const result = await run(withinTurn(comfy, context.turn));
    const elsewhere = result.ok ? tool.outside?.(args.data, result.data) : undefined;
    return {
      ...tellingUnused(tool, usual, acting ? naming(acting.workflowNow(), result) : result),
      ...(elsewhere !== undefined && { outside: [elsewhere, ...(result.outside ?? [])] }),
    };
  } catch (error) {
    if (error instanceof Declined) return tellingUnused(tool, usual, declined(error.what));
    if (error instanceof SwitchedAway) return otherWorkflowOpen(error.message, error.hint);
    if (error instanceof ToolError) {
      const { message, sendInstead, isUnknownNode } = error;
      const isOfTab = isUnknownNode && tool.effect !== "reads";
      const hint = sentences(error.hint, isOfTab ? otherTabs(comfy) : undefined);
      return tellingUnused(tool, usual, {
        ...failure(message, hint || undefined),
        ...(sendInstead && { sendInstead }),
      });
    }
    return failure(`${tool.name} failed: ${reasonOf(error)}`);
  }
}

/** A node that is not there may be one of another open workflow. */
function otherTabs(comfy: Comfy): string | undefined {
  const open = comfy.workflow();
  const others = comfy.tabs().filter(({ key }) => key !== open.key);
  const names = others.slice(0, mostTabs).map(({ name }) => `"${name}"`);
  return names.length > 0
    ? `Open is "${open.name}"; getWorkflowInfo with tab goes to ${names.join(" or ")}.`
    : undefined;
}

const mostTabs = 4;

/** Models write null for an argument that they leave out. */
function withoutNulls(args: unknown): unknown {
  if (args === null || typeof args !== "object" || Array.isArray(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

function problems(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => [...path.map(String), message.replace(/^Invalid input: /, "")].join(": "))
    .join("; ");
}

function usage({ name, input, example }: Tool, written: unknown): string | undefined {
  if (example) return `Write it like this: ${example(Object(written))}`;
  if (!(input instanceof z.ZodObject)) return undefined;
  const names = Object.entries(input.shape).map(([key, type]) =>
    type instanceof z.ZodType && type.isOptional() ? `${key} (optional)` : key,
  );
  return names.length === 0 ? `${name} takes no arguments.` : `${name} takes ${names.join(", ")}.`;
}

/** What was asked for beyond what a tool can do has to be said: the model would take it for done, or send it again. */
function tellingUnused({ name, input }: Tool, written: unknown, result: ToolResult): ToolResult {
  if (!(input instanceof z.ZodObject)) return result;
  const given = Object.entries(Object(written)).filter(([, value]) => !isEmpty(value));
  const unused = given.flatMap(([key]) => (key in input.shape ? [] : [key]));
  if (unused.length === 0) return result;
  const ignored = `${name} has no ${unused.join(", ")}: that was ignored.`;
  if (!result.ok) return { ...result, hint: sentences(result.hint, ignored) };
  return {
    ...result,
    summary: `${result.summary} ${ignored}`,
    data: { ...Object(result.data), notUsed: [...(Object(result.data).notUsed ?? []), ...unused] },
  };
}

/** What is refused for a choice that the page does not know is tried once more where the server knows others. */
async function withFreshChoices<Result>(comfy: Comfy, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const wanted = error instanceof ToolError ? error.choicesOf : [];
    const types = wanted.filter((each) => typeof each === "string");
    const isFresh = types.length > 0 && (await comfy.refreshChoices(types));
    if ((await offerFiles(comfy, wanted)) || isFresh) return run();
    throw error;
  }
}

/** Whether there is any of the files that are wanted. */
async function offerFiles(comfy: Comfy, wanted: readonly FreshChoice[]): Promise<boolean> {
  const names = new Set<string>();
  for (const each of wanted)
    if (typeof each !== "string" && (await comfy.whole.file(each).catch(() => undefined)))
      names.add(nameWithFolder(each));
  for (const name of names) comfy.offerPicture(name);
  return names.size > 0;
}

/** The result of an edit or a run tells in which workflow it was. */
function naming({ name }: Workflow, result: ToolResult): ToolResult {
  return result.ok ? { ...result, data: { workflow: name, ...(result.data as object) } } : result;
}

function withinTurn(comfy: Comfy, turn: string | undefined): Comfy {
  if (turn === undefined) return comfy;
  return {
    ...comfy,
    edit: <Result>(change: (editor: GraphEditor) => Result) => comfy.edit(change, { turn }),
  };
}
