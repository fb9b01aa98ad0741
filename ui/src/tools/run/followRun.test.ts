import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FakeRun } from "../../comfy/fakeQueue";
import { testCalls } from "../testing/testCall";
import { followRun, type RunStage } from "./followRun";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const success = { status: "success" as const, outputs: [] };

function following(runner: (run: FakeRun) => void, { atMost }: { atMost?: number } = {}) {
  const { comfy } = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
  comfy.queue.runner = runner;
  const stages: RunStage[] = [];
  const controller = new AbortController();
  const outcome = followRun(comfy.queue, {
    signal: controller.signal,
    onStage: (stage) => stages.push(stage),
    ...(atMost !== undefined && { atMost }),
  });
  const run = () => comfy.queue.runs[0] as FakeRun;
  return { queue: comfy.queue, stages, controller, outcome, run };
}

describe("a run is followed to its end", () => {
  it("by its record when the websocket is lost", async () => {
    const { queue, outcome, run } = following((each) => each.start());
    queue.isConnected = false;
    await vi.advanceTimersByTimeAsync(10_000);
    run().finish(success);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(await outcome).toEqual({
      status: "finished",
      promptId: "prompt-1",
      record: success,
      problems: [],
    });
  });

  it("within moments of the event that tells of it, though the record is written a little later", async () => {
    const { queue, outcome, run } = following((each) => each.start());
    await vi.advanceTimersByTimeAsync(1_000);
    const record = queue.record;
    const written = Date.now() + 300;
    queue.record = async (id) => (Date.now() < written ? undefined : record(id));
    run().finish(success);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toMatchObject({ status: "finished" });
  });

  it("through a time in which ComfyUI does not answer, which it tells as soon as it looks", async () => {
    const { queue, outcome, run, stages } = following((each) => each.start());
    await vi.advanceTimersByTimeAsync(1_000);
    queue.isReachable = false;
    queue.isConnected = false;
    await vi.advanceTimersByTimeAsync(100_000);
    expect(stages.at(-1)).toEqual({ at: "unreachable" });
    queue.isReachable = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(stages.at(-1)).toEqual({ at: "started" });
    run().finish(success);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await outcome).toMatchObject({ status: "finished" });
  });

  it("telling that ComfyUI is out of reach in the moment in which its websocket is gone", async () => {
    const { queue, stages, controller, outcome } = following((each) => each.start());
    await vi.advanceTimersByTimeAsync(1_000);
    queue.isReachable = false;
    queue.stir();
    await vi.advanceTimersByTimeAsync(10);
    expect(stages).toEqual([{ at: "started" }, { at: "unreachable" }]);
    controller.abort();
    await vi.advanceTimersByTimeAsync(5_000);
    await outcome;
  });

  it("telling how many are ahead of it while it waits", async () => {
    const { comfy } = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    comfy.queue.runner = (run) => run.start();
    await comfy.queue.submit();
    comfy.queue.runner = () => {};
    const stages: RunStage[] = [];
    const outcome = followRun(comfy.queue, {
      signal: new AbortController().signal,
      onStage: (stage) => stages.push(stage),
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(stages).toEqual([{ at: "queued", ahead: 1 }]);
    comfy.queue.runs[0]?.finish(success);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(stages.at(-1)).toEqual({ at: "queued", ahead: 0 });
    comfy.queue.runs[1]?.start();
    comfy.queue.runs[1]?.finish(success);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await outcome).toMatchObject({ status: "finished" });
  });
});

describe("a run is given up", () => {
  it("when it was taken out of the queue or ComfyUI restarted", async () => {
    const { queue, outcome } = following(() => {});
    await vi.advanceTimersByTimeAsync(100);
    queue.forget();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(await outcome).toEqual({ status: "lost" });
  });

  it("when ComfyUI has not answered for two minutes, and can be asked about later", async () => {
    const { queue, outcome } = following((run) => run.start());
    await vi.advanceTimersByTimeAsync(100);
    queue.isReachable = false;
    await vi.advanceTimersByTimeAsync(130_000);
    expect(await outcome).toEqual({ status: "unreachable", promptId: "prompt-1" });
  });

  it("when it takes too long, and then it is left alone", async () => {
    const { queue, outcome } = following((run) => run.start(), { atMost: 120 });
    await vi.advanceTimersByTimeAsync(121_000);
    expect(await outcome).toEqual({ status: "unfinished", promptId: "prompt-1" });
    expect(queue.canceled).toEqual([]);
    expect(queue.listeners).toBe(0);
  });

  it("with a word that it is not over yet when a stopped node does not let go", async () => {
    const { queue, outcome, controller } = following((run) => run.start());
    await vi.advanceTimersByTimeAsync(100);
    queue.cancel = async () => {};
    controller.abort();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await outcome).toEqual({ status: "stopped", isOver: false });
  });
});

describe("while it follows a run it leaves ComfyUI in peace", () => {
  it("and asks for the queue only every few seconds, however much is going on", async () => {
    const { queue, run, outcome } = following((each) => each.start());
    const place = vi.spyOn(queue, "place");
    for (let step = 0; step < 100; step++) {
      run().progress("1", step, 100);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(place.mock.calls.length).toBeLessThanOrEqual(3);
    run().finish(success);
    await vi.advanceTimersByTimeAsync(100);
    expect(await outcome).toMatchObject({ status: "finished" });
  });
});
