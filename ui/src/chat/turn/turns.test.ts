import type { UIMessage } from "ai";
import { beforeEach, describe, expect, it } from "vitest";
import { createTurns, type Turns } from "./turns";

type Part = UIMessage["parts"][number];

const call = (id: string, state: "input-available" | "output-available"): Part =>
  ({ type: "tool-addNode", toolCallId: id, state, input: {}, output: {} }) as Part;

const open = (id: string) => call(id, "input-available");
const settled = (id: string) => call(id, "output-available");

const answer = (...parts: Part[]): UIMessage[] => [
  { id: "a1", role: "assistant", parts: [{ type: "step-start" }, ...parts] },
];

let turns: Turns;
beforeEach(() => {
  turns = createTurns();
});

const begin = () => turns.begin("thread", "u1", "open");
const resume = () => turns.resume("thread");
const callTool = (id: string) => () => turns.call("thread", id);
const end = () => turns.end("thread", { isFinal: false });
const fail = () => turns.end("thread", { isFinal: true });
const stop = (messages: UIMessage[]) => () => turns.stop("thread", messages.at(-1));
const take = (messages: UIMessage[]) => () => turns.takeResults("thread", messages);

/** After each event: the phase in which the thread is, and before it what was said to sending results. */
function transcript(...events: (() => unknown)[]): string[] {
  return events.map((happen) => {
    const isSent = happen();
    const phase = turns.phases.get().get("thread") ?? "rests";
    return typeof isSent === "boolean" ? `${isSent ? "send" : "nothing to send"}, ${phase}` : phase;
  });
}

describe("the course of a turn", () => {
  it("is over with an answer that calls nothing", () => {
    const messages = answer({ type: "text", text: "Done." });
    expect(transcript(begin, end, take(messages))).toEqual(["answering", "rests", "nothing to send, rests"]);
  });

  it("goes through a step whose tools the browser runs", () => {
    const done = answer(settled("1"), { type: "step-start" }, { type: "text", text: "Done." });
    expect(
      transcript(
        ...[begin, callTool("1"), end, take(answer(open("1"))), take(answer(settled("1")))],
        ...[resume, end, take(done)],
      ),
    ).toEqual([
      ...["answering", "acting", "acting", "nothing to send, acting", "send, acting"],
      ...["answering", "rests", "nothing to send, rests"],
    ]);
  });

  it("waits for every call of a step", () => {
    const messages = answer(settled("1"), open("2"));
    expect(transcript(begin, callTool("1"), callTool("2"), take(messages))).toEqual([
      ...["answering", "acting", "acting", "nothing to send, acting"],
    ]);
  });

  it("ends when the same results would be sent again", () => {
    const messages = answer(settled("1"));
    expect(transcript(begin, callTool("1"), end, take(messages), take(messages))).toEqual([
      ...["answering", "acting", "acting", "send, acting", "nothing to send, rests"],
    ]);
  });

  it("ends at once with a failure, whatever was called before it, and goes on when it is tried again", () => {
    expect(transcript(begin, callTool("1"), fail, resume, end)).toEqual([
      ...["answering", "acting", "rests", "answering", "rests"],
    ]);
  });

  it("ends at once with a Stop, and does not send what settles after it", () => {
    expect(transcript(begin, callTool("1"), stop(answer(open("1"))), take(answer(settled("1"))))).toEqual([
      ...["answering", "acting", "rests", "nothing to send, rests"],
    ]);
  });

  it("does not go on with a call that was aborted by itself", () => {
    const abort = () => turns.stopCall("1");
    expect(transcript(begin, callTool("1"), end, abort, take(answer(settled("1"))))).toEqual([
      ...["answering", "acting", "acting", "acting", "nothing to send, rests"],
    ]);
  });

  it("is known for each thread apart", () => {
    begin();
    turns.begin("other", "u2", "open");
    turns.call("other", "2");
    expect([...turns.phases.get()]).toEqual([
      ["thread", "answering"],
      ["other", "acting"],
    ]);
  });

  it("is not known of a thread without an id", () => {
    turns.call(undefined, "1");
    turns.end(undefined, { isFinal: true });
    expect([...turns.phases.get(), turns.turnOf(["1"])]).toEqual([undefined]);
  });
});

describe("a turn that another page runs", () => {
  const watch = () => turns.rejoin("thread", "u1", "open", true);
  const fates = (...ids: string[]) => ids.map((id) => turns.elsewhere(id));

  beforeEach(() => {
    watch();
    turns.call("thread", "1");
    turns.call("thread", "2");
  });

  it("is never gone on with by the results that are read of it", () => {
    const messages = answer(settled("1"), settled("2"));
    expect(transcript(end, take(messages))).toEqual(["acting", "nothing to send, acting"]);
  });

  it("tells what became of its calls as soon as that is read", async () => {
    const [first, second] = fates("1", "2");
    turns.readResults(answer(settled("1"), open("2")));
    expect(await first).toEqual({ result: {} });
    expect(fates("1", "2")).toEqual([undefined, second]);
  });

  it.each([
    ["is over", fail],
    ["is stopped", stop([])],
  ])("leaves no call open when it %s, also not for one that takes over the next", async (_, happen) => {
    const both = fates("1", "2");
    happen();
    expect(await Promise.all(both)).toEqual([{}, {}]);
    watch();
    turns.takeOver("thread");
    expect(await Promise.all(both)).toEqual([{}, {}]);
  });

  it("is this page's when it asks the server to go on", () => {
    resume();
    expect(turns.isWatched("thread")).toBe(false);
    expect(turns.takeResults("thread", answer(settled("1"), settled("2")))).toBe(true);
  });
});

describe("the turn of a call", () => {
  it("has the thread, and the workflow that was open when its message was sent", () => {
    begin();
    turns.call("thread", "1");
    expect(turns.turnOf(["1"])).toMatchObject({ thread: "thread", workflow: "open" });
  });

  it("is the same for all calls that answer one message, and another for another answer to it", () => {
    begin();
    for (const id of ["1", "2"]) turns.call("thread", id);
    resume();
    turns.call("thread", "3");
    begin();
    turns.call("thread", "4");
    const ids = ["1", "2", "3", "4"].map((id) => turns.turnOf([id])?.id);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(ids[3]).not.toBe(ids[0]);
  });

  it("is that of the thread, also when another thread has begun a turn since", () => {
    begin();
    turns.begin("other", "u2", "elsewhere");
    turns.call("thread", "1");
    expect(turns.turnOf(["1"])?.thread).toBe("thread");
  });

  it("works on the workflow that one of its tools has opened, and no other turn does", () => {
    begin();
    turns.call("thread", "1");
    turns.call("thread", "2");
    turns.begin("other", "u2", "open");
    turns.call("other", "3");
    turns.follow("1", "opened");
    expect(["2", "3"].map((id) => turns.turnOf([id])?.workflow)).toEqual(["opened", "open"]);
  });

  it("is told for an answer of which only some calls were made since the page was loaded", () => {
    begin();
    turns.call("thread", "2");
    expect(turns.turnOf(["earlier", "2"])).toBe(turns.turnOf(["2"]));
    expect(turns.turnOf(["earlier"])).toBeUndefined();
  });
});
