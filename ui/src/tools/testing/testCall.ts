import type { NodeDefinition } from "../../comfy/bridge";
import { createFakeComfy, type FakeComfy } from "../../comfy/fake";
import { fakeNodes } from "../../comfy/fakeNodes";
import { writeCompact } from "../../graph/compact/write";
import type { ApprovalRequest, ToolProgress } from "../../shared/toolCalls";
import type { Ask } from "../missing/ask";
import { look } from "../read/sight";
import { openWorkflow } from "../read/sources";
import { type Room, roomOf } from "../room";
import { runTool, type Tool, type ToolResult } from "../tool";

export interface TestCalls {
  comfy: FakeComfy;
  progress: ToolProgress[];
  /** What tools have told as done before they ended. */
  done: string[];
  /** What tools have asked the person. */
  asked: ApprovalRequest[];
  /** What the person answers; true from the start. */
  isAllowed: boolean;
  /** What the person answers to each question, where that is not always the same. */
  answer?: (request: ApprovalRequest) => boolean;
  /** Where text by others stood that the model had read. */
  outside?: readonly string[];
  /** The turn that calls belong to. */
  turn?: string;
  /** The conversation that calls belong to. */
  thread?: string;
  /** The server of the page. */
  ask?: Ask;
  /** What the call of the page before left to this one. */
  outlived?: unknown;
  /** Hears what the call leaves to the next page. */
  outlive?: (note: unknown) => void;
  /** Of each result. */
  room: Room;
  /** The tool's result, however the call went. */
  call(tool: Tool, args?: unknown, signal?: AbortSignal): Promise<ToolResult>;
  /** The workflow as a model reads it, line by line. */
  lines(): string[];
}

/** A fake ComfyUI in which `nodes` were added, with ids from 1, and `links` drawn as `"1.IMAGE>2.images"`. */
export function testCalls(
  nodes: readonly string[] = [],
  links: readonly string[] = [],
  definitions: readonly NodeDefinition[] = fakeNodes,
): TestCalls {
  const comfy = createFakeComfy({ definitions });
  for (const type of nodes) comfy.edit((editor) => editor.addNode(type));
  for (const link of links) {
    const [source = "", target = ""] = link.split(">");
    const [from = "", outputName] = source.split(".");
    const [to = "", ...inputParts] = target.split(".");
    const inputName = inputParts.join(".");
    const node = (id: string) => comfy.graph().nodes.find((each) => each.id === id);
    const output = node(from)?.outputs.findIndex(({ name }) => name === outputName) ?? -1;
    const input = node(to)?.inputs.findIndex(({ name }) => name === inputName) ?? -1;
    if (!comfy.edit((editor) => editor.connect({ node: from, output }, { node: to, input })))
      throw new Error(`${link} cannot be drawn`);
  }
  return callsOn(comfy);
}

export function callsOn(comfy: FakeComfy): TestCalls {
  const progress: ToolProgress[] = [];
  const calls: TestCalls = {
    comfy,
    progress,
    done: [],
    asked: [],
    isAllowed: true,
    room: roomOf(),
    call: async (tool, args = {}, signal = new AbortController().signal) => {
      const result = await runTool(tool, args, comfy, {
        signal,
        room: calls.room,
        onProgress: (each) => progress.push(each),
        hasDone: (what) => calls.done.push(what),
        confirm: async (request) => {
          calls.asked.push(request);
          return calls.answer?.(request) ?? calls.isAllowed;
        },
        outlived: calls.outlived,
        ...(calls.outlive && { outlive: calls.outlive }),
        ...(calls.ask && { ask: calls.ask }),
        ...(calls.outside && { outside: calls.outside }),
        ...(calls.turn !== undefined && { turn: calls.turn }),
        ...(calls.thread !== undefined && { thread: calls.thread }),
      });
      return calls.outside ? result : withoutOwnLabel(result);
    },
    lines: () => writeCompact(look(comfy).workflow).split("\n"),
  };
  return calls;
}

/** Each result has it; what a test is about are others. */
function withoutOwnLabel({ outside = [], newOutside: _, ...result }: ToolResult): ToolResult {
  const others = outside.filter((each) => each !== openWorkflow);
  return { ...result, ...(others.length > 0 && { outside: others }) };
}
