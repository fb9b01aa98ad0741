import { describe, expect, it } from "vitest";
import type { LiveChangeTracker } from "./page";
import { createUndoSteps } from "./undo";

/** Keeps the state before each change, as ComfyUI's tracker does. */
class Tracker implements LiveChangeTracker {
  undoQueue: { content: string; size?: number }[] = [];
  content = "";
  initialState = { content: "" };
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
    this.captured = this.undoQueue.pop() ?? this.captured;
    this.content = this.captured.content;
  }
}

function page() {
  const tracker = new Tracker();
  const { asUndoStep, ...others } = createUndoSteps(() => ({ path: "a.json", changeTracker: tracker }));
  const write = (text: string, turn?: string) =>
    asUndoStep(() => {
      tracker.content += text;
    }, turn);
  return { tracker, write, asUndoStep, ...others };
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
    expect(createUndoSteps(() => null).asUndoStep(() => 7)).toBe(7);
  });
});

describe("undoing a turn", () => {
  it("takes back all of its edits", async () => {
    const { tracker, write, canUndoTurn, undoTurn } = page();
    write("a", "turn 1");
    for (const text of ["b", "c"]) write(text, "turn 2");
    expect([canUndoTurn("turn 2"), await undoTurn("turn 2")]).toEqual([true, true]);
    expect(tracker.content).toBe("a");
  });

  it("takes sizes along that the page has changed since, and that ComfyUI has made steps of", async () => {
    const { tracker, write, canUndoTurn, undoTurn } = page();
    write("a", "turn");
    for (const _ of ["run", "click"]) {
      tracker.resize();
      tracker.capture();
    }
    expect([canUndoTurn("turn"), await undoTurn("turn")]).toEqual([true, true]);
    expect([tracker.content, tracker.undoQueue]).toEqual(["", []]);
  });

  it("is possible for the newest turn alone, then for the one before", async () => {
    const { tracker, write, canUndoTurn, undoTurn } = page();
    write("a", "turn 1");
    write("b", "turn 2");
    expect([canUndoTurn("turn 1"), canUndoTurn("turn 2")]).toEqual([false, true]);
    await undoTurn("turn 2");
    expect([canUndoTurn("turn 1"), canUndoTurn("turn 2")]).toEqual([true, false]);
    await undoTurn("turn 1");
    expect(tracker.content).toBe("");
  });

  it.each([
    ["captured", true],
    ["not captured yet", false],
  ])(
    "is refused, and nothing lost, when the user has changed something since that is %s",
    async (_, isCaptured) => {
      const { tracker, write, undoTurn } = page();
      write("a", "turn");
      tracker.content += " by hand";
      if (isCaptured) tracker.capture();
      expect(await undoTurn("turn")).toBe(false);
      expect(tracker.content).toBe("a by hand");
    },
  );

  it("is refused when the user has undone it, and when it changed nothing", async () => {
    const { tracker, write, canUndoTurn, undoTurn } = page();
    write("a", "turn");
    await tracker.undo();
    expect([canUndoTurn("turn"), await undoTurn("turn"), canUndoTurn("other")]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("what the user changed just before an edit", () => {
  it("stays when the edit is undone", () => {
    const { tracker, write } = page();
    tracker.content = "dragged, ";
    write("edited", "turn");
    tracker.undo();
    expect(tracker.content).toBe("dragged, ");
  });

  it("is nobody's doing when it is a size: the edits around it stay one step", () => {
    const { tracker, write } = page();
    write("a", "turn");
    tracker.resize();
    write("b", "turn");
    tracker.undo();
    expect(tracker.content).toBe("");
  });
});

describe("undoing a loaded workflow", () => {
  it("takes it back in one step, and leaves what was saved", async () => {
    const { tracker, write, loadAsUndoStep } = page();
    write("a");
    await loadAsUndoStep(() => tracker.load("loaded"));
    expect(tracker.undoQueue.length).toBe(2);
    expect(tracker.initialState).toEqual({ content: "" });
    tracker.undo();
    expect(tracker.content).toBe("a");
  });

  it("takes back the other edits of the turn too", async () => {
    const { tracker, write, loadAsUndoStep } = page();
    write("a", "turn 1");
    write("b", "turn 2");
    await loadAsUndoStep(() => tracker.load("loaded"), "turn 2");
    write("c", "turn 2");
    tracker.undo();
    expect(tracker.content).toBe("a");
  });

  it("keeps what the user changed just before as a step of its own", async () => {
    const { tracker, loadAsUndoStep } = page();
    tracker.content = "dragged";
    await loadAsUndoStep(() => tracker.load("loaded"));
    tracker.undo();
    expect(tracker.content).toBe("dragged");
    tracker.undo();
    expect(tracker.content).toBe("");
  });

  it("leaves no step when loading fails", async () => {
    const { tracker, loadAsUndoStep } = page();
    const failing = loadAsUndoStep(async () => {
      throw new Error("broken");
    });
    await expect(failing).rejects.toThrow("broken");
    expect(tracker.undoQueue).toEqual([]);
  });
});
