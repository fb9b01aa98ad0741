import type { UIMessage } from "ai";
import { beforeEach, describe, expect, it } from "vitest";
import { createTurnRecord, type TurnRecord } from "./turnRecord";

type Part = UIMessage["parts"][number];

const call = (id: string, state: "input-available" | "output-available"): Part =>
  ({ type: "tool-addNode", toolCallId: id, state, input: {}, output: {} }) as Part;

const answer = (...parts: Part[]): UIMessage[] => [
  { id: "a1", role: "assistant", parts: [{ type: "step-start" }, ...parts] },
];

const isBetweenSteps = () => turns.betweenSteps.get().has("thread");

let turns: TurnRecord;
beforeEach(() => {
  turns = createTurnRecord();
  turns.called("thread", "1", { id: "u1", thread: "thread", workflow: "open" });
});

describe("the moments between two steps", () => {
  it("begin with a call of a browser tool and last until its result is sent", () => {
    expect(isBetweenSteps()).toBe(true);
    expect(turns.takeResults("thread", answer(call("1", "output-available")))).toBe(true);
    expect(isBetweenSteps()).toBe(true);
    turns.settle("thread");
    expect(isBetweenSteps()).toBe(false);
  });

  it("last while another call of the step is still open", () => {
    const messages = answer(call("1", "output-available"), call("2", "input-available"));
    expect(turns.takeResults("thread", messages)).toBe(false);
    expect(isBetweenSteps()).toBe(true);
  });

  it("end when there is nothing more to send", () => {
    const messages = answer(call("1", "output-available"));
    turns.takeResults("thread", messages);
    expect(turns.takeResults("thread", messages)).toBe(false);
    expect(isBetweenSteps()).toBe(false);
  });
});

it("does not send a result that settles after the person stopped the turn", () => {
  turns.stop("thread", answer(call("1", "input-available"))[0]);
  expect(isBetweenSteps()).toBe(false);
  expect(turns.takeResults("thread", answer(call("1", "output-available")))).toBe(false);
});

it("takes another answer to the same message for another turn", () => {
  const [first, second] = [turns.begin("thread", "u1", "open"), turns.begin("thread", "u1", "open")];
  turns.called("thread", "2", first);
  turns.called("thread", "3", first);
  turns.called("thread", "4", second);
  expect(first.id).not.toBe(second.id);
  expect([turns.turnOf(["earlier", "2", "3"]), turns.turnOf(["4"])]).toEqual([first.id, second.id]);
  expect(turns.turnOf(["earlier"])).toBeUndefined();
});

it("remembers to which turn and workflow a call belongs", () => {
  expect([turns.originOf("1"), turns.originOf("2")]).toEqual([
    { id: "u1", thread: "thread", workflow: "open" },
    undefined,
  ]);
});
