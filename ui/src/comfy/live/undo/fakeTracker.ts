import type { LiveChangeTracker } from "../page";
import { createUndoSteps } from "./undo";

/** Keeps the state before each change, as ComfyUI's tracker does. */
export class Tracker implements LiveChangeTracker {
  undoQueue: { content: string; size?: number }[] = [];
  redoQueue: { content: string; size?: number }[] = [];
  content = "";
  initialState = { content: "" };
  /** A number where what is loaded is another each time. */
  looks: number | undefined;
  private captured: { content: string; size?: number } = { content: "" };
  private size = 0;
  private depth = 0;

  resize() {
    this.size++;
  }

  beforeChange() {
    this.depth++;
  }

  afterChange() {
    this.depth--;
    this.capture();
  }

  capture() {
    const isSame = this.content === this.captured.content && this.size === (this.captured.size ?? 0);
    if (this.depth > 0 || isSame) return;
    this.undoQueue.push(this.captured);
    this.redoQueue.length = 0;
    this.captured = { content: this.content, size: this.size };
  }

  /** A page of 1.58 does this 50 ms after a step: what has changed since makes no step of its own. */
  squash() {
    this.captured = { content: this.content, size: this.size };
  }

  get activeState() {
    return this.captured;
  }

  /** ComfyUI takes what it loads for the saved state. */
  async load(content: string) {
    this.content = content;
    this.captured = { content: `${content} as in the file` };
    this.initialState = this.captured;
  }

  async undo() {
    this.goTo(this.undoQueue, this.redoQueue);
  }

  async redo() {
    this.goTo(this.redoQueue, this.undoQueue);
  }

  /** A page of 1.58 keeps what it has loaded. */
  private goTo(from: Tracker["undoQueue"], to: Tracker["undoQueue"]) {
    const state = from.pop();
    if (!state) return;
    to.push(this.captured);
    this.captured = { ...state, ...(this.looks !== undefined && { looks: this.looks++ }) };
    this.content = state.content;
  }
}

/** Nobody finishes anything later, and reading costs nothing. */
export const still = {
  quiet: async () => {},
  hearPerson: (_listener: () => void) => () => {},
  atOnce: (capture: () => void) => capture(),
  capture(tracker: LiveChangeTracker) {
    tracker.beforeChange();
    tracker.afterChange();
  },
  madeAs: () => new Map(),
  byRuns: () => () => false,
};

/** A person who acts when a test says so. */
export function fakePerson() {
  const listeners = new Set<() => void>();
  return {
    hearPerson(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    acts() {
      for (const listener of [...listeners]) listener();
    },
  };
}

export function page(quiet = still.quiet) {
  const tracker = new Tracker();
  const workflow = { path: "a.json", changeTracker: tracker };
  const opened: string[] = [];
  const heard: (readonly string[])[] = [];
  const { hearPerson, acts } = fakePerson();
  const steps = createUndoSteps({
    ...still,
    quiet,
    hearPerson,
    active: () => workflow,
    all: () => [workflow],
    show: async (steps) => (_, state) =>
      steps.loadAsUndoStep(() => tracker.load((state as { content: string }).content)),
    open: async (name) => void opened.push(name),
    close: async () => {},
    wentTo: (turns) => void (turns.length > 0 && heard.push(turns)),
  });
  const { asUndoStep, ...others } = steps;
  const write = (text: string, turn?: string) => {
    asUndoStep(() => {
      tracker.content += text;
    }, turn);
    steps.endEdit();
  };
  /** What the person writes, of which ComfyUI makes a step. */
  const writeByHand = (text: string) => {
    acts();
    tracker.content += text;
    tracker.capture();
  };
  return { tracker, write, writeByHand, asUndoStep, heard, ...others };
}

export const noTabs = {
  ...still,
  all: () => [],
  show: async () => async () => {},
  open: async () => {},
  close: async () => {},
  wentTo() {},
};
