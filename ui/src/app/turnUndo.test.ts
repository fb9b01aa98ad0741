import { beforeEach, expect, it } from "vitest";
import { createTurns, type Turns } from "../chat/turn/turns";
import { createTurnUndo, type UndoOfTurns } from "./turnUndo";

let turns: Turns;
let states: Map<string, "done" | "undone">;
let inTheWay: string[];
/** What the person does by ComfyUI's own undo and redo. */
let byHand: (turn: string) => void;

const toggled = (turn: string) => states.set(turn, states.get(turn) === "done" ? "undone" : "done");

beforeEach(() => {
  turns = createTurns();
  states = new Map();
  inTheWay = [];
});

function undo() {
  return createTurnUndo(
    {
      turnState: (turn) => states.get(turn),
      async toggleTurn(turn) {
        if (inTheWay.length === 0) toggled(turn);
        return inTheWay;
      },
      hearTurns(listener) {
        byHand = (turn) => {
          toggled(turn);
          listener([turn]);
        };
      },
    },
    turns,
  );
}

/** What a message tells that arrives. */
function told({ newsOf }: UndoOfTurns, thread: string) {
  const { said, arrived } = newsOf(thread);
  arrived();
  return said;
}

/** A turn that changed something. */
function turn(thread: string, message: string): string {
  turns.begin(thread, message, "open");
  const { id } = turns.all(thread).at(-1) as { id: string };
  states.set(id, "done");
  return id;
}

it("tells the model once what the person has undone or redone, and nothing of what was both", async () => {
  const undoing = undo();
  const { toggle } = undoing;
  const [first, second] = [turn("t", "u1"), turn("t", "u2")];
  await toggle(first);
  await toggle(second);
  await toggle(second);
  expect([told(undoing, "other"), told(undoing, "t"), told(undoing, "t")]).toEqual([
    {},
    { undone: ["u1"] },
    {},
  ]);
  await toggle(first);
  expect(told(undoing, "t")).toEqual({ redone: ["u1"] });
});

it("tells of what the person has undone by ComfyUI's own undo, too", async () => {
  const undoing = undo();
  const first = turn("t", "u1");
  byHand(first);
  expect([told(undoing, "t"), undoing.count.get()]).toEqual([{ undone: ["u1"] }, 1]);
  await undoing.toggle(first);
  byHand(first);
  expect(told(undoing, "t")).toEqual({});
});

it("tells again what a request told that failed, and what was changed while one was on its way", async () => {
  const { toggle, newsOf } = undo();
  const first = turn("t", "u1");
  await toggle(first);
  expect(newsOf("t").said).toEqual({ undone: ["u1"] });
  const second = newsOf("t");
  expect(second.said).toEqual({ undone: ["u1"] });
  await toggle(first);
  second.arrived();
  const third = newsOf("t");
  expect(third.said).toEqual({ redone: ["u1"] });
  third.arrived();
  expect(newsOf("t").said).toEqual({});
});

it("tells of what was undone although ComfyUI loaded something otherwise", async () => {
  const id = turn("t", "u1");
  const { toggle, newsOf, count } = createTurnUndo(
    {
      turnState: (turn) => states.get(turn),
      async toggleTurn(turn) {
        states.set(turn, "undone");
        throw new Error("loaded otherwise");
      },
      hearTurns() {},
    },
    turns,
  );
  await expect(toggle(id)).rejects.toThrow("loaded otherwise");
  expect([newsOf("t").said, count.get()]).toEqual([{ undone: ["u1"] }, 1]);
});

it("tells nothing of what was in the way", async () => {
  const { toggle, newsOf, count } = undo();
  inTheWay = ["3 KSampler"];
  expect([await toggle(turn("t", "u1")), newsOf("t").said, count.get()]).toEqual([["3 KSampler"], {}, 0]);
});

it("undoes the newest turn of the thread that is not undone, which is no news to the model that asked for it", async () => {
  const { undoNewest, newsOf } = undo();
  const [first, second] = [turn("t", "u1"), turn("t", "u2")];
  turn("other", "u3");
  await undoNewest("t");
  expect([states.get(first), states.get(second)]).toEqual(["done", "undone"]);
  await undoNewest("t");
  expect([states.get(first), await undoNewest("t"), newsOf("t").said]).toEqual(["undone", undefined, {}]);
});

it("does once what is pressed twice while it is being done, and tells when that is over", async () => {
  const { toggle, settled } = undo();
  const id = turn("t", "u1");
  const pressed = [toggle(id), toggle(id)];
  await settled();
  expect([await Promise.all(pressed), states.get(id)]).toEqual([[[], []], "undone"]);
  await toggle(id);
  expect(states.get(id)).toBe("done");
});
