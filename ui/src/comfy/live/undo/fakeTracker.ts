import { isSame } from "../../../graph/sameState";
import type { LiveChangeTracker } from "../page";
import { createUndoSteps } from "./undo";

/** Keeps the state before each change, as ComfyUI's tracker does. */
export abstract class FakeTracker<State extends object> implements LiveChangeTracker {
  undoQueue: State[] = [];
  redoQueue: State[] = [];
  initialState: State;
  protected captured: State;
  private depth = 0;

  constructor(initial: State) {
    this.captured = initial;
    this.initialState = initial;
  }

  /** What the page shows now. */
  protected abstract shown(): State;
  protected abstract show(state: State): void;

  protected shows(state: State): boolean {
    return isSame(this.shown(), state);
  }

  get activeState() {
    return this.captured;
  }

  beforeChange() {
    this.depth++;
  }

  afterChange() {
    this.depth--;
    this.capture();
  }

  capture() {
    if (this.depth > 0 || this.shows(this.captured)) return;
    this.undoQueue.push(this.captured);
    this.redoQueue.length = 0;
    this.captured = this.shown();
  }

  /** A page of 1.58 does this 50 ms after a step: what has changed since makes no step of its own. */
  squash() {
    this.captured = this.shown();
  }

  async undo() {
    this.goTo(this.undoQueue, this.redoQueue);
  }

  async redo() {
    this.goTo(this.redoQueue, this.undoQueue);
  }

  private goTo(from: State[], to: State[]) {
    const state = from.pop();
    if (!state) return;
    to.push(this.captured);
    this.captured = this.loaded(state);
    this.show(state);
  }

  protected loaded(state: State): State {
    return state;
  }
}

interface Written {
  content: string;
  size: number;
}

/** Of a workflow that is one text, and of which ComfyUI keeps the size, too. */
export class Tracker extends FakeTracker<Written> {
  content = "";
  /** A number where what is loaded is another each time: a page of 1.58 keeps what it has loaded. */
  looks: number | undefined;
  private size = 0;

  constructor() {
    super({ content: "", size: 0 });
  }

  resize() {
    this.size++;
  }

  /** ComfyUI takes what it loads for the saved state. */
  async load(content: string) {
    this.content = content;
    this.captured = { content: `${content} as in the file`, size: 0 };
    this.initialState = this.captured;
  }

  protected shown() {
    return { content: this.content, size: this.size };
  }

  protected override shows({ content, size }: Written) {
    return super.shows({ content, size });
  }

  protected show({ content }: Written) {
    this.content = content;
  }

  protected override loaded(state: Written) {
    return { ...state, ...(this.looks !== undefined && { looks: this.looks++ }) };
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
    show: (_, state, steps) =>
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
  show: async () => {},
  open: async () => {},
  close: async () => {},
  wentTo() {},
};
