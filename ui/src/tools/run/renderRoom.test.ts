import { describe, expect, it } from "vitest";
import type { ToolProgress } from "../../shared/toolCalls";
import type { Reply } from "../missing/ask";
import { withRoom } from "./renderRoom";

const said = (value: unknown): Reply => ({ ok: true, value });

function caller(answer: () => Promise<Reply>) {
  const events: string[] = [];
  const progress: ToolProgress[] = [];
  const controller = new AbortController();
  return {
    events,
    progress,
    controller,
    context: {
      ask: (method: string, route: string, body?: unknown) => {
        events.push(
          `${method} ${route.split("/").slice(0, -1).join("/")} ${JSON.stringify(body) ?? ""}`.trim(),
        );
        return method === "POST" ? answer() : Promise.resolve(said({}));
      },
      thread: "t",
      signal: controller.signal,
      onProgress: (each: ToolProgress) => progress.push(each),
    },
    run: async () => {
      events.push("run");
      return 7;
    },
  };
}

const made = 'POST /assistant/renders {"threadId":"t"}';

describe("withRoom", () => {
  it("runs once there is room, and gives it back afterwards", async () => {
    const { context, run, events, progress } = caller(async () => said({ model: "m" }));
    expect(await withRoom(context, run)).toBe(7);
    expect(events).toEqual([made, "run", "DELETE /assistant/renders"]);
    expect(progress).toEqual([]);
  });

  it("runs all the same where the server cannot be asked, and gives it back after a failed run", async () => {
    const { context, events } = caller(() => Promise.reject(new Error("gone")));
    const failing = async () => {
      throw new Error("no");
    };
    await expect(withRoom(context, failing)).rejects.toThrow("no");
    expect(events).toEqual([made, "DELETE /assistant/renders"]);
  });

  it("does not let a Stop wait for the model", async () => {
    const { context, run, controller, events } = caller(() => new Promise(() => {}));
    const running = withRoom(context, run);
    controller.abort();
    await running;
    expect(events.at(-1)).toBe("DELETE /assistant/renders");
  });

  it("says why nothing runs yet where that takes a while", async () => {
    const { context, run, progress } = caller(
      () => new Promise((resolve) => setTimeout(() => resolve(said({ model: "m" })), 400)),
    );
    await withRoom(context, run);
    expect(progress).toEqual([{ text: "The language model makes room in the graphics memory" }]);
  });
});
