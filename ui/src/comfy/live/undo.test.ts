import { describe, expect, it } from "vitest";
import type { LiveChangeTracker } from "./page";
import { createUndoSteps } from "./undo";

/** Keeps the state before each change, as ComfyUI's tracker does. */
class Tracker implements LiveChangeTracker {
  undoQueue: { content: string }[] = [];
  content = "";
  private captured = { content: "" };
  private depth = 0;

  beforeChange() {
    this.depth++;
  }

  afterChange() {
    this.depth--;
    this.capture();
  }

  capture() {
    if (this.depth > 0 || this.content === this.captured.content) return;
    this.undoQueue.push(this.captured);
    this.captured = { content: this.content };
  }

  undo() {
    this.captured = this.undoQueue.pop() ?? this.captured;
    this.content = this.captured.content;
  }
}

function page() {
  const tracker = new Tracker();
  const asUndoStep = createUndoSteps(() => ({ path: "a.json", changeTracker: tracker }));
  const write = (text: string, turn?: string) =>
    asUndoStep(() => {
      tracker.content += text;
    }, turn);
  return { tracker, write, asUndoStep };
}

describe("undoing edits", () => {
  it("takes back one edit at a time without a turn", () => {
    const { tracker, write } = page();
    write("a");
    write("b");
    tracker.undo();
    expect(tracker.content).toBe("a");
  });

  it("takes back all edits of a turn at once, and no more", () => {
    const { tracker, write } = page();
    write("a", "turn 1");
    for (const text of ["b", "c", "d"]) write(text, "turn 2");
    tracker.undo();
    expect(tracker.content).toBe("a");
    tracker.undo();
    expect(tracker.content).toBe("");
  });

  it("keeps what the user did in between as a step of its own", () => {
    const { tracker, write } = page();
    write("a", "turn");
    tracker.content += " by hand ";
    tracker.capture();
    write("b", "turn");
    tracker.undo();
    expect(tracker.content).toBe("a by hand ");
    tracker.undo();
    expect(tracker.content).toBe("a");
  });

  it("never joins edits of other turns after an undo", () => {
    const { tracker, write } = page();
    write("a", "turn 1");
    write("b", "turn 2");
    tracker.undo();
    write("c", "turn 2");
    tracker.undo();
    expect(tracker.content).toBe("a");
  });

  it("makes no step of an edit that changes nothing", () => {
    const { tracker, write } = page();
    write("", "turn");
    expect(tracker.undoQueue).toEqual([]);
  });

  it("closes the step of an edit that fails", () => {
    const { tracker, asUndoStep } = page();
    expect(() =>
      asUndoStep(() => {
        tracker.content = "half";
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(tracker.undoQueue).toHaveLength(1);
  });

  it("still edits where there is no undo stack", () => {
    expect(createUndoSteps(() => null)(() => 7)).toBe(7);
  });
});
