import { describe, expect, it } from "vitest";
import { noTabs, page, still, Tracker } from "./fakeTracker";
import { createUndoSteps } from "./undo";

/** A workflow of which the page shows that state, and then what is loaded. */
function showing<State extends object>(state: State) {
  const tracker = new Tracker();
  const workflow = { path: "a.json", filename: "a", changeTracker: tracker };
  const shown = { state };
  Object.defineProperty(tracker, "activeState", { get: () => shown.state });
  const steps = createUndoSteps({
    ...noTabs,
    active: () => workflow,
    all: () => [workflow],
    show: (_, loaded, steps) =>
      steps.loadAsUndoStep(async () => {
        shown.state = loaded as State;
      }),
  });
  return { tracker, steps, shown };
}

describe("undoing a turn", () => {
  it("takes back all of its edits, and makes them again", async () => {
    const { tracker, write, turnState, toggleTurn } = page();
    write("a", "turn 1");
    for (const text of ["b", "c"]) write(text, "turn 2");
    expect([await toggleTurn("turn 2"), turnState("turn 2"), tracker.content]).toEqual([[], "undone", "a"]);
    expect([await toggleTurn("turn 2"), turnState("turn 2"), tracker.content]).toEqual([[], "done", "abc"]);
  });

  it("is a step of its own, which Ctrl+Z takes back", async () => {
    const { tracker, write, toggleTurn } = page();
    write("a", "turn");
    await toggleTurn("turn");
    await tracker.undo();
    expect(tracker.content).toBe("a");
  });

  it("takes sizes along that the page has changed since, and that ComfyUI has made steps of", async () => {
    const { tracker, write, toggleTurn } = page();
    write("a", "turn");
    for (const _ of ["run", "click"]) {
      tracker.resize();
      tracker.capture();
    }
    expect([await toggleTurn("turn"), tracker.content]).toEqual([[], ""]);
  });

  it.each([
    ["captured", true],
    ["not captured yet", false],
  ])("is refused where the person has changed the same since, %s", async (_, isCaptured) => {
    const { tracker, write, turnState, toggleTurn } = page();
    write("a", "turn");
    tracker.content += " by hand";
    if (isCaptured) tracker.capture();
    expect([await toggleTurn("turn"), turnState("turn")]).toEqual([["the workflow changed since"], "done"]);
    expect(tracker.content).toBe("a by hand");
  });

  it("is done where the person has taken it back already, and can be made again then", async () => {
    const { tracker, write, turnState, toggleTurn } = page();
    write("a", "turn");
    tracker.content = "";
    tracker.capture();
    expect([await toggleTurn("turn"), turnState("turn"), tracker.content]).toEqual([[], "undone", ""]);
    expect([await toggleTurn("turn"), tracker.content]).toEqual([[], "a"]);
  });

  it("takes along what the page changed while a run of the turn was queued", async () => {
    const { tracker, write, runAsTurn, toggleTurn } = page();
    write("a", "turn");
    await runAsTurn(async () => {
      tracker.content += " seed";
      tracker.capture();
    }, "turn");
    expect(tracker.undoQueue).toHaveLength(1);
    expect([await toggleTurn("turn"), tracker.content]).toEqual([[], ""]);
  });

  it("says where ComfyUI did not bring the nodes back", async () => {
    const tracker = new Tracker();
    const workflow = { path: "a.json", filename: "a", changeTracker: tracker };
    const steps = createUndoSteps({ ...noTabs, active: () => workflow, all: () => [workflow] });
    const state = (count: number) => ({
      content: "",
      nodes: Array.from({ length: count }, (_, id) => ({ id })),
    });
    const states = [state(1), state(2)];
    Object.defineProperty(tracker, "activeState", { get: () => states[0] });
    steps.asUndoStep(() => {
      tracker.content = "added";
      states.shift();
    }, "turn");
    expect(steps.turnState("turn")).toBe("done");
    await expect(steps.toggleTurn("turn")).rejects.toThrow("did not load “a” whole");
  });

  it("says what ComfyUI has loaded otherwise, which is undone all the same", async () => {
    const tracker = new Tracker();
    const workflow = { path: "a.json", filename: "a", changeTracker: tracker };
    const state = (value: number) => ({
      content: "",
      nodes: [{ id: 1, type: "A", widgets_values: [value] }],
    });
    let now = state(1);
    let loaded = 3;
    Object.defineProperty(tracker, "activeState", { get: () => now });
    const steps = createUndoSteps({
      ...noTabs,
      active: () => workflow,
      all: () => [workflow],
      show: async () => {
        now = state(loaded++);
      },
    });
    steps.asUndoStep(() => {
      tracker.content = "set";
      now = state(2);
    }, "turn");
    const toggled = () => expect(steps.toggleTurn("turn"));
    await toggled().rejects.toThrow("It was taken back, but ComfyUI has loaded otherwise than it was: 1 A");
    expect(steps.turnState("turn")).toBe("undone");
    await toggled().rejects.toThrow("It was made again, but ComfyUI has loaded otherwise than it was: 1 A");
    expect(steps.turnState("turn")).toBe("done");
  });

  it("shows the state before with the nodes as they were made then, and those added since as they are", async () => {
    const tracker = new Tracker();
    const workflow = { path: "a.json", filename: "a", changeTracker: tracker };
    const node = (type: string, made: string) => ({ type, made });
    let now = new Map([["1", node("New", "Old")]]);
    const shown: unknown[] = [];
    const steps = createUndoSteps({
      ...noTabs,
      active: () => workflow,
      all: () => [workflow],
      madeAs: () => now,
      show: async (_workflow, state, steps, madeAs) => {
        shown.push(Object.fromEntries(madeAs ?? []));
        await steps.loadAsUndoStep(() => tracker.load((state as { content: string }).content));
      },
    });
    steps.asUndoStep(() => {
      tracker.content = "replaced";
    }, "turn");
    now = new Map([
      ["1", node("New", "New")],
      ["2", node("Other", "Other")],
    ]);
    await steps.toggleTurn("turn");
    now = new Map([["1", node("New", "Old")]]);
    await steps.toggleTurn("turn");
    expect(shown).toEqual([
      { 1: node("New", "Old"), 2: node("Other", "Other") },
      { 1: node("New", "New"), 2: node("Other", "Other") },
    ]);
  });

  it("keeps of those far back what differs, which is enough to take them back", async () => {
    const node = (id: number) => ({ id, type: "A", widgets_values: [id] });
    const { tracker, steps, shown } = showing({ content: "", nodes: [node(0)] });
    for (let id = 1; id <= 60; id++) {
      const add = () => {
        tracker.content = String(id);
        shown.state = { content: "", nodes: [...shown.state.nodes, node(id)] };
      };
      steps.asUndoStep(add, `turn ${id}`);
      steps.endEdit();
    }
    for (const id of [1, 10, 11, 60]) expect(await steps.toggleTurn(`turn ${id}`)).toEqual([]);
    const left = new Set(shown.state.nodes.map(({ id }) => id));
    expect([left.size, ...[1, 10, 11, 60].map((id) => left.has(id))]).toEqual([57, ...Array(4).fill(false)]);
    expect([await steps.toggleTurn("turn 1"), shown.state.nodes.at(-1)]).toEqual([[], node(1)]);
  });

  it("begins with what is left by what was begun before it, however long that takes", async () => {
    const { tracker, write, loadAsUndoStep, turnState, toggleTurn } = page();
    const load = tracker.load.bind(tracker);
    tracker.load = async (content) => {
      await new Promise((resolve) => setTimeout(resolve));
      await load(content);
      tracker.squash();
    };
    for (const text of ["a", "b", "c"]) write(text, `turn ${text}`);
    const undone = [toggleTurn("turn c"), toggleTurn("turn b")];
    const loaded = loadAsUndoStep(() => tracker.load(`${tracker.content} loaded`), "turn d");
    expect([await Promise.all(undone), turnState("turn b"), turnState("turn c")]).toEqual([
      [[], []],
      "undone",
      "undone",
    ]);
    await loaded;
    expect([turnState("turn d"), tracker.content]).toEqual(["done", "a loaded"]);
    expect([await toggleTurn("turn d"), tracker.content]).toEqual([[], "a"]);
  });

  it.each([
    ["the same workflow", "w1", "w1", [[], 0]],
    ["another one that has its path by now", "w1", "w2", [["the workflow “a” is closed"], 1]],
    ["one that was cleared", "00000000-0000-0000-0000-000000000000", "w2", [[], 0]],
  ])("from before a reload is taken back in %s", async (_, was, id, expected) => {
    const node = { id: 1, type: "A", widgets_values: [5] };
    const { steps, shown } = showing({ id, nodes: [node] });
    const change = {
      path: "a.json",
      name: "a",
      before: { id: was, nodes: [] },
      after: { id: was, nodes: [node] },
    };
    steps.restoreTurns([{ turn: "turn", changes: [change], isUndone: false }]);
    expect([await steps.toggleTurn("turn"), shown.state.nodes.length]).toEqual(expected);
  });

  it("knows nothing of turns that changed nothing", async () => {
    const { write, turnState, toggleTurn } = page();
    write("", "turn");
    expect([turnState("turn"), (await toggleTurn("turn")).length]).toEqual([undefined, 1]);
  });
});

describe("ComfyUI's own undo and redo", () => {
  it("undo a turn and make it again, of which is told", async () => {
    const { tracker, write, turnState, toggleTurn, heard } = page();
    write("a", "turn 1");
    write("b", "turn 2");
    const states = () => [tracker.content, turnState("turn 1"), turnState("turn 2")];
    await tracker.undo();
    expect(states()).toEqual(["a", "done", "undone"]);
    await tracker.undo();
    expect(states()).toEqual(["", "undone", "undone"]);
    await tracker.redo();
    expect(states()).toEqual(["a", "done", "undone"]);
    expect(heard).toEqual([["turn 2"], ["turn 1"], ["turn 1"]]);
    expect([await toggleTurn("turn 2"), ...states()]).toEqual([[], "ab", "done", "done"]);
  });

  it.each([
    ["undone and redone", undefined],
    ["undone and redone, where what is loaded again is not the same to the letter", 1],
  ])("go through what the panel has %s", async (_, looks) => {
    const { tracker, write, turnState, toggleTurn } = page();
    tracker.looks = looks;
    write("a", "turn");
    const states = () => [tracker.content, turnState("turn")];
    await toggleTurn("turn");
    await toggleTurn("turn");
    for (const go of ["undo", "undo", "undo", "redo", "redo", "redo", "undo", "redo"] as const) {
      const is = states();
      await tracker[go]();
      expect([is, states()]).toContainEqual(["a", "done"]);
      expect([is, states()]).toContainEqual(["", "undone"]);
    }
  });

  it("go past what the person did since, to before the turn", async () => {
    const { tracker, write, turnState, toggleTurn } = page();
    write("a", "turn");
    tracker.content += "b";
    tracker.capture();
    await tracker.undo();
    expect(turnState("turn")).toBe("done");
    await tracker.undo();
    tracker.content += "c";
    tracker.capture();
    expect([turnState("turn"), tracker.content]).toEqual(["undone", "c"]);
    expect(await toggleTurn("turn")).toEqual(["the workflow changed since"]);
  });

  it("in the midst of a turn leave to it what it does from then on", async () => {
    const { tracker, write, turnState, toggleTurn } = page();
    write("a", "turn");
    await tracker.undo();
    write("b", "turn");
    expect([turnState("turn"), tracker.content]).toEqual(["done", "b"]);
    expect([await toggleTurn("turn"), tracker.content]).toEqual([[], ""]);
  });

  it("between two edits of a turn find the first one done", async () => {
    const { tracker, write, turnState, toggleTurn } = page();
    write("a", "turn");
    tracker.content += " by hand ";
    tracker.capture();
    write("b", "turn");
    for (const _ of ["b", "by hand", "a"]) await tracker.undo();
    expect([turnState("turn"), tracker.content]).toEqual(["undone", ""]);
    await tracker.redo();
    expect([turnState("turn"), tracker.content]).toEqual(["done", "a"]);
    expect([await toggleTurn("turn"), tracker.content]).toEqual([[], ""]);
  });
});

/** Two workflows; the turn works on the first and opens the second. */
function twoTabs() {
  const [first, second] = ["first", "second"].map((filename) => {
    const tracker = new Tracker();
    return { path: `${filename}.json`, filename, changeTracker: tracker };
  }) as [Tab, Tab];
  const tabs = [first];
  let active = first;
  const steps = createUndoSteps({
    ...still,
    active: () => active,
    all: () => tabs,
    show: async (workflow, state, steps) => {
      active = workflow as Tab;
      const { content } = state as { content: string };
      if (content !== active.changeTracker.content)
        await steps.loadAsUndoStep(() => active.changeTracker.load(content));
    },
    async open(_, state) {
      tabs.push(second);
      active = second;
      second.changeTracker.content = (state as { content: string }).content;
      second.changeTracker.capture();
    },
    wentTo() {},
    close: async (workflow) => void tabs.splice(tabs.indexOf(workflow as Tab), 1),
  });
  const write = (text: string) => {
    steps.asUndoStep(() => {
      active.changeTracker.content += text;
    }, "turn");
    steps.endEdit();
  };
  const open = () =>
    steps.openAsTurn(async () => {
      tabs.push(second);
      active = second;
      second.changeTracker.content = "template";
      second.changeTracker.capture();
    }, "turn");
  return { first, second, tabs, write, open, ...steps, active: () => active };
}

interface Tab {
  path: string;
  filename: string;
  changeTracker: Tracker;
}

describe("undoing a turn over several workflows", () => {
  it("takes back what it did in each, closes what it opened, and opens it again", async () => {
    const { first, second, tabs, write, open, toggleTurn, active } = twoTabs();
    write("a");
    await open();
    write(" edited");
    expect([await toggleTurn("turn"), tabs, active()]).toEqual([[], [first], first]);
    expect(first.changeTracker.content).toBe("");
    expect([await toggleTurn("turn"), tabs]).toEqual([[], [first, second]]);
    expect([first.changeTracker.content, second.changeTracker.content]).toEqual(["a", "template edited"]);
  });

  it("is refused where the person went on in what it opened, or closed a workflow", async () => {
    const { second, tabs, open, toggleTurn } = twoTabs();
    await open();
    second.changeTracker.content += " by hand";
    expect(await toggleTurn("turn")).toEqual(["the workflow “second”, which it has opened, changed since"]);
    tabs.pop();
    expect(await toggleTurn("turn")).toEqual(["the workflow “second” is closed"]);
  });
});
