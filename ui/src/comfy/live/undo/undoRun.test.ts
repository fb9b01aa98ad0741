import { expect, it } from "vitest";
import { FakeTracker, fakePerson, noTabs } from "./fakeTracker";
import { createUndoSteps } from "./undo";

type Values = Record<string, string>;

class Tracker extends FakeTracker<{ values: Values }> {
  private readonly values: () => Values;

  constructor(values: () => Values) {
    super({ values: {} });
    this.values = values;
  }

  protected shown() {
    return { values: { ...this.values() } };
  }

  protected show(state: { values: Values }) {
    const values = this.values();
    for (const name of Object.keys(values)) delete values[name];
    Object.assign(values, state.values);
  }
}

interface Tab {
  path: string;
  filename: string;
  values: Values;
  changeTracker: Tracker;
}

function page() {
  const { hearPerson, acts } = fakePerson();
  let active: Tab;
  const [first, second] = ["first", "second"].map((filename) => ({
    path: `${filename}.json`,
    filename,
    values: {} as Values,
    changeTracker: new Tracker(() => active.values),
  })) as [Tab, Tab];
  active = first;
  const steps = createUndoSteps({
    ...noTabs,
    hearPerson,
    active: () => active,
    all: () => [first, second],
    show: (workflow, state, steps) =>
      steps.loadAsUndoStep(async () => {
        active.values = { ...(state as { values: Values }).values };
        workflow.changeTracker?.beforeChange();
        workflow.changeTracker?.afterChange();
      }),
  });
  return {
    ...steps,
    first,
    second,
    acts,
    set: (name: string, value = "by the page") => Object.assign(active.values, { [name]: value }),
    byHand(name: string) {
      acts();
      Object.assign(active.values, { [name]: "by hand" });
    },
    open(tab: Tab) {
      active = tab;
    },
  };
}

it("a run leaves what the person changed while it was queued", async () => {
  const { first, set, byHand, runAsTurn, toggleTurn } = page();
  await runAsTurn(async (goesOn) => {
    set("seed");
    byHand("text");
    goesOn();
    set("seed after");
  }, "turn");
  const done = { ...first.values };
  expect(Object.keys(done)).toEqual(["seed", "text", "seed after"]);
  expect([await toggleTurn("turn"), first.values]).toEqual([[], { text: "by hand" }]);
  expect([await toggleTurn("turn"), first.values]).toEqual([[], done]);
});

it("a run is one step with the edits before it where the person does nothing", async () => {
  const { first, set, asUndoStep, endEdit, runAsTurn, toggleTurn } = page();
  asUndoStep(() => set("text"), "turn");
  endEdit();
  await runAsTurn(async (goesOn) => {
    set("seed");
    first.changeTracker.capture();
    goesOn();
    set("seed after");
  }, "turn");
  expect(first.changeTracker.undoQueue).toHaveLength(1);
  expect([await toggleTurn("turn"), first.values]).toEqual([[], {}]);
});

it("a run during which the person undoes something leaves them the steps before", async () => {
  const { first, acts, byHand, endEdit, set, runAsTurn } = page();
  for (const name of ["a", "b", "c"]) {
    byHand(name);
    first.changeTracker.capture();
  }
  await runAsTurn(async (goesOn) => {
    acts();
    await first.changeTracker.undo();
    goesOn();
    set("seed");
  }, "turn");
  endEdit();
  const left = first.changeTracker.undoQueue.map(({ values }) => Object.keys(values).join());
  expect(left).toEqual(["", "a", "a,b"]);
});

it("a run during which another workflow comes to the front changes neither", async () => {
  const { first, second, set, open, runAsTurn } = page();
  Object.assign(second.values, { other: "workflow" });
  second.changeTracker.squash();
  await runAsTurn(async () => {
    set("seed");
    first.changeTracker.capture();
    open(second);
  }, "turn");
  expect(first.changeTracker.activeState.values).toEqual({ seed: "by the page" });
  expect(second.changeTracker.undoQueue).toEqual([]);
});

it("an edit leaves what the person changes right after it, which a page of 1.58 puts into its step", async () => {
  const { first, set, byHand, asUndoStep, endEdit, toggleTurn } = page();
  asUndoStep(() => set("value"), "turn");
  endEdit();
  byHand("text");
  first.changeTracker.squash();
  expect([await toggleTurn("turn"), first.values]).toEqual([[], { text: "by hand" }]);
});
