import { describe, expect, it } from "vitest";
import { noTabs, page } from "./fakeTracker";
import { createUndoSteps } from "./undo";

describe("undoing edits", () => {
  it("takes back one edit at a time without a turn", async () => {
    const { tracker, write } = page();
    write("a");
    write("b");
    await tracker.undo();
    expect(tracker.content).toBe("a");
  });

  it("takes back all edits of a turn at once, and no more", async () => {
    const { tracker, write } = page();
    write("a", "turn 1");
    for (const text of ["b", "c", "d"]) write(text, "turn 2");
    await tracker.undo();
    expect(tracker.content).toBe("a");
    await tracker.undo();
    expect(tracker.content).toBe("");
  });

  it("knows of an edit that the page put into the step before it", async () => {
    const { tracker, write, asUndoStep, endEdit, toggleTurn, turnState } = page();
    write("a", "turn 1");
    asUndoStep(() => {
      tracker.content += "b";
    }, "turn 2");
    tracker.squash();
    endEdit();
    expect(turnState("turn 2")).toBe("done");
    expect(await toggleTurn("turn 2")).toEqual([]);
    expect(tracker.content).toBe("a");
  });

  it("takes along what the page puts into the step of an edit afterwards", async () => {
    const { tracker, write, toggleTurn } = page();
    write("a", "turn 1");
    write("b", "turn 2");
    tracker.content += " finished by a pack";
    tracker.squash();
    expect(await toggleTurn("turn 2")).toEqual([]);
    expect(tracker.content).toBe("a");
  });

  it("keeps what the user did in between as a step of its own", async () => {
    const { tracker, write } = page();
    write("a", "turn");
    tracker.content += " by hand ";
    tracker.capture();
    write("b", "turn");
    await tracker.undo();
    expect(tracker.content).toBe("a by hand ");
    await tracker.undo();
    expect(tracker.content).toBe("a");
  });

  it("never joins edits of other turns after an undo", async () => {
    const { tracker, write } = page();
    write("a", "turn 1");
    write("b", "turn 2");
    await tracker.undo();
    write("c", "turn 2");
    await tracker.undo();
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
    expect(createUndoSteps({ ...noTabs, active: () => null }).asUndoStep(() => 7)).toBe(7);
  });
});

describe("what the user changed just before an edit", () => {
  it("stays when the edit is undone", async () => {
    const { tracker, write } = page();
    tracker.content = "dragged, ";
    write("edited", "turn");
    await tracker.undo();
    expect(tracker.content).toBe("dragged, ");
  });

  it("is nobody's doing when it is a size: the edits around it stay one step", async () => {
    const { tracker, write } = page();
    write("a", "turn");
    tracker.resize();
    write("b", "turn");
    await tracker.undo();
    expect(tracker.content).toBe("");
  });
});

describe("what packs do to new nodes a moment later", () => {
  const whenQuiet = () => {
    let end = () => {};
    const quiet = new Promise<void>((resolve) => {
      end = resolve;
    });
    return { quiet: () => quiet, end };
  };

  it("belongs to the step of the edit", async () => {
    const { quiet, end } = whenQuiet();
    const { tracker, asUndoStep, finished } = page(quiet);
    asUndoStep(() => {
      tracker.content = "added";
    });
    const read = finished(() => tracker.undoQueue.length);
    tracker.content += " and finished";
    tracker.capture();
    end();
    expect(await read).toBe(1);
    await tracker.undo();
    expect(tracker.content).toBe("");
  });

  it("belongs to the next step where that comes first", async () => {
    const { tracker, asUndoStep, write } = page(() => new Promise(() => {}));
    asUndoStep(() => {
      tracker.content = "a";
    }, "turn");
    write("b", "turn");
    expect(tracker.undoQueue).toHaveLength(1);
  });
});

describe("undoing a loaded workflow", () => {
  it("takes it back in one step, and leaves what was saved", async () => {
    const { tracker, write, loadAsUndoStep } = page();
    write("a");
    await loadAsUndoStep(() => tracker.load("loaded"));
    expect(tracker.undoQueue.length).toBe(2);
    expect(tracker.initialState).toEqual({ content: "", size: 0 });
    await tracker.undo();
    expect(tracker.content).toBe("a");
  });

  it("takes back the other edits of the turn too", async () => {
    const { tracker, write, loadAsUndoStep } = page();
    write("a", "turn 1");
    write("b", "turn 2");
    await loadAsUndoStep(() => tracker.load("loaded"), "turn 2");
    write("c", "turn 2");
    await tracker.undo();
    expect(tracker.content).toBe("a");
  });

  it("keeps what the user changed just before as a step of its own", async () => {
    const { tracker, loadAsUndoStep } = page();
    tracker.content = "dragged";
    await loadAsUndoStep(() => tracker.load("loaded"));
    await tracker.undo();
    expect(tracker.content).toBe("dragged");
    await tracker.undo();
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
