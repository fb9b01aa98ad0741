/** The page as undoing needs it, and what it offers to whoever changes the page meanwhile. */

import type { IsByRun } from "../../../graph/writtenByRuns";
import type { MadeAs } from "../editing/madeAs";
import type { LiveChangeTracker, LiveWorkflow } from "../page";

/** The page: the workflows that are open, and what is done with them when a turn is taken back. */
export interface OpenTabs {
  /** Resolves when nodes that were just made are as the packs want them, or the person does something. */
  quiet(): Promise<void>;
  /** Before the page hears what the person does. What it returns ends that. */
  hearPerson(listener: () => void): () => void;
  /** Lets ComfyUI read the workflow, which costs nothing where it was just read. */
  atOnce(capture: () => void): void;
  /** Has it make a step of what the person changed, if they did. */
  capture(tracker: LiveChangeTracker): void;
  /** Of the open workflow. */
  madeAs(): MadeAs;
  /** What the page has written by itself for runs. */
  byRuns(workflow: LiveWorkflow): IsByRun;
  active(): LiveWorkflow | null | undefined;
  all(): readonly LiveWorkflow[];
  /** Brings a workflow to the front and a state into it, as one step. */
  show(workflow: LiveWorkflow, state: unknown, steps: Steps, madeAs?: MadeAs): Promise<void>;
  open(name: string, state: unknown, steps: Steps): Promise<void>;
  close(workflow: LiveWorkflow): Promise<void>;
  /** The person has gone to another state of the open workflow by ComfyUI's own undo: these turns are undone or made again by it. */
  wentTo(turns: readonly string[]): void;
}

/** What makes steps of what is done to the page in the midst of taking a turn back. */
export interface Steps {
  asUndoStep<Result>(change: () => Result): Result;
  finished<Result>(read: () => Result): Promise<Result>;
  loadAsUndoStep(load: () => Promise<void>, turn?: string): Promise<void>;
  openAsTurn(open: () => Promise<void>, turn?: string): Promise<void>;
}
