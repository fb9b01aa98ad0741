import { describe, expect, it, vi } from "vitest";
import { executeWorkflow } from "./executeWorkflow";
import { redImage, success } from "./testing/testRuns";

describe("after the page was loaded anew in the middle of a run", () => {
  /** A call in one page, with its notes, and the same call in the next page, which is left the newest of them. */
  function twoPages(args: object) {
    const calls = redImage();
    const { queue } = calls.comfy;
    queue.runner = (run) => run.start();
    const notes: unknown[] = [];
    calls.outlive = (note) => notes.push(structuredClone(note));
    void calls.call(executeWorkflow, args);
    return {
      comfy: calls.comfy,
      notes,
      queued: (count: number) =>
        vi.waitFor(() => expect([queue.runs.length, notes.length]).toEqual([count, count])),
      next() {
        queue.leavePage();
        calls.outlived = notes.at(-1);
        return calls.call(executeWorkflow, args);
      },
    };
  }

  const vary = [{ node: "1", widget: "width", values: [8, 16, 24] }];

  it("waits for the run that is in the queue, and queues no other", async () => {
    const { comfy, queued, next, notes } = twoPages({});
    await queued(1);
    const again = next();
    comfy.queue.runs[0]?.finish(success([]));
    expect(await again).toMatchObject({ ok: true, summary: "Ran the workflow in 1.23 s: no output." });
    expect(comfy.queue.runs).toHaveLength(1);
    expect(comfy.queue.adopted).toEqual(["prompt-1"]);
    expect(notes.at(-1)).toBeUndefined();
  });

  it("goes on with the runs that are left, and tells of all", async () => {
    const { comfy, queued, next } = twoPages({ vary });
    await queued(1);
    comfy.queue.runs[0]?.finish(success([]));
    await queued(2);
    const again = next();
    comfy.queue.runs[1]?.finish(success([]));
    await vi.waitFor(() => expect(comfy.queue.runs).toHaveLength(3));
    comfy.queue.runs[2]?.finish(success([]));
    expect(await again).toMatchObject({
      ok: true,
      summary: expect.stringContaining("3 of 3 runs succeeded"),
    });
    expect(comfy.queue.runs.map(({ nodes }) => nodes["1"]?.inputs.width)).toEqual([8, 16, 24]);
  });

  it("runs nothing more in another workflow", async () => {
    const { comfy, queued, next } = twoPages({ vary });
    await queued(1);
    comfy.edit((editor) => editor.addNode("PreviewImage"));
    comfy.edit((editor) => editor.connect({ node: "1", output: 0 }, { node: "3", input: 0 }));
    const again = next();
    comfy.queue.runs[0]?.finish(success([]));
    expect(await again).toMatchObject({
      ok: true,
      summary: expect.stringContaining("1 of 3 runs succeeded, 2 were not begun"),
    });
    expect(comfy.queue.runs).toHaveLength(1);
  });
});
