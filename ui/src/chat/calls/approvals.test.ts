import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ApprovalRequest } from "../../shared/toolCalls";
import { type Approvals, createApprovals } from "./approvals";

let kept: Map<string, string>;
let approvals: Approvals;
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
};
const neverStopped = new AbortController().signal;
const deletion = { title: "Delete 12 nodes?" };

beforeEach(() => {
  kept = new Map();
  approvals = createApprovals(storage);
});

function waiting(call: string): ApprovalRequest {
  const request = approvals.pending.get().get(call);
  if (!request) throw new Error(`${call} waits for nothing.`);
  return request;
}

describe("in Auto mode, the one to begin with", () => {
  it("allows at once what a tool asks", async () => {
    expect(await approvals.confirm("call", deletion, neverStopped)).toBe(true);
    expect(approvals.pending.get().size).toBe(0);
  });

  it("asks where a tool insists", async () => {
    const answer = approvals.confirm("call", { ...deletion, always: true }, neverStopped);
    approvals.answer(waiting("call"), false);
    expect(await answer).toBe(false);
  });
});

it("asks no more about what is the same, once that was allowed", async () => {
  const download = { title: "Run?", always: true, same: "t1 download" };
  const answer = approvals.confirm("call", download, neverStopped);
  approvals.answer(waiting("call"), true);
  expect(await answer).toBe(true);
  expect(await approvals.confirm("call", { ...download }, neverStopped)).toBe(true);
  for (const other of [
    { ...download, same: "t2 download" },
    { title: "Run?", always: true },
  ]) {
    void approvals.confirm("other", other, neverStopped);
    expect(waiting("other").title).toBe("Run?");
  }
  approvals.mode.set("ask");
  void approvals.confirm("again", { ...download }, neverStopped);
  expect(waiting("again").same).toBe("t1 download");
});

it("asks again about what was denied, and keeps a yes that is for good", async () => {
  const kept = vi.fn(async () => {});
  const run = {
    title: "Run?",
    always: true,
    same: "t1 run",
    forGood: { label: "Always", title: "", keep: kept, same: "t1 what acts" },
  };
  const denied = approvals.confirm("call", run, neverStopped);
  approvals.answer(waiting("call"), false);
  expect(await denied).toBe(false);
  const allowed = approvals.confirm("call", run, neverStopped);
  expect(kept).not.toHaveBeenCalled();
  approvals.allowForGood(waiting("call"));
  expect(await allowed).toBe(true);
  expect(kept).toHaveBeenCalledOnce();
  const left = { title: "Run?", always: true, same: "t1 what acts" };
  expect(await approvals.confirm("call", left, neverStopped)).toBe(true);
});

describe("in Ask mode", () => {
  beforeEach(() => approvals.mode.set("ask"));

  it.each([true, false])("waits for the person, who says %s", async (isAllowed) => {
    const answer = approvals.confirm("call", deletion, neverStopped);
    approvals.answer(waiting("call"), isAllowed);
    expect(await answer).toBe(isAllowed);
    expect(approvals.pending.get().size).toBe(0);
  });

  it("does not take the answer to one request for the answer to the next", async () => {
    const first = approvals.confirm("call", deletion, neverStopped);
    const shown = waiting("call");
    approvals.answer(shown, true);
    await first;
    let settled = false;
    void approvals.confirm("call", deletion, neverStopped).then(() => {
      settled = true;
    });
    approvals.answer(shown, true);
    await new Promise((resolve) => setTimeout(resolve));
    expect([settled, approvals.pending.get().size]).toEqual([false, 1]);
  });

  it("takes a Stop for a no, before and while it waits", async () => {
    const controller = new AbortController();
    const answer = approvals.confirm("call", deletion, controller.signal);
    controller.abort();
    expect(await answer).toBe(false);
    expect(await approvals.confirm("later", deletion, controller.signal)).toBe(false);
    expect(approvals.pending.get().size).toBe(0);
  });

  it("stays in it after a reload, and begins in Auto mode where nothing can be kept", () => {
    const forbidden = () => {
      throw new DOMException("denied", "SecurityError");
    };
    expect(createApprovals(storage).mode.get()).toBe("ask");
    const unkept = createApprovals({ getItem: forbidden, setItem: forbidden });
    unkept.mode.set("ask");
    expect(unkept.mode.get()).toBe("ask");
  });
});

it("shows no sign that turns a line round or ends it, whoever wrote it, and leaves letters as they are", () => {
  const shown = {
    title: "Delete\u202e?\u0000",
    detail: "a\u2028b\nc 👩‍👧 می‌خواهم",
    outside: ["note\u2066 1"],
  };
  void approvals.confirm("call", { ...shown, always: true, same: "t1\u0000x" }, neverStopped);
  expect(waiting("call")).toEqual({
    title: "Delete�?�",
    detail: "a�b\nc 👩‍👧 می‌خواهم",
    outside: ["note� 1"],
    always: true,
    same: "t1\u0000x",
  });
});

it("is in the mode that the person chose in another tab", () => {
  const heard: ((event: Partial<StorageEvent>) => void)[] = [];
  vi.stubGlobal("addEventListener", (_: string, hear: (event: Partial<StorageEvent>) => void) =>
    heard.push(hear),
  );
  const { mode } = createApprovals(storage);
  vi.unstubAllGlobals();
  const tell = (key: string, newValue: string | null) => {
    for (const hear of heard) hear({ key, newValue });
  };
  tell("comfyui-assistant.approvals", "ask");
  expect(mode.get()).toBe("ask");
  tell("something of ComfyUI's", "auto");
  expect(mode.get()).toBe("ask");
  tell("comfyui-assistant.approvals", null);
  expect(mode.get()).toBe("auto");
});
