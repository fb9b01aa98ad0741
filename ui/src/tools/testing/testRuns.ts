/** Runs for tests: a small workflow, and records as ComfyUI keeps them. */

import type { OutputFile, RunRecord } from "../../comfy/bridge";
import { testCalls } from "./testCall";

export const redImage = () => testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);

export const file = (kind: OutputFile["kind"], filename: string, subfolder = ""): OutputFile => ({
  kind,
  filename,
  subfolder,
  type: "output",
});

export const success = (outputs: RunRecord["outputs"], seconds = 1.234): RunRecord => ({
  status: "success",
  seconds,
  outputs,
});
