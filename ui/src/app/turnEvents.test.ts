import { expect, it } from "vitest";
import { createTurns } from "../chat/turn/turns";
import { followElsewhere, turnEvents } from "./turnEvents";

it("keeps what the server tells with a call", () => {
  const turns = createTurns();
  const { onToolCall } = turnEvents(turns, () => "thread");
  onToolCall({
    toolCall: {
      toolCallId: "c1",
      providerMetadata: { comfyuiAssistant: { room: 900, outside: ["note 5"] } },
    },
  });
  onToolCall({ toolCall: { toolCallId: "c2", providerMetadata: { comfyuiAssistant: { callId: "x" } } } });
  onToolCall({ toolCall: { toolCallId: "c3" } });
  expect(["c1", "c2", "c3"].map(turns.toldOf)).toEqual([{ room: 900, outside: ["note 5"] }, {}, {}]);
});

it("follows what another process writes, whose calls are made by no page here", async () => {
  const turns = createTurns();
  const call = { type: "tool-addNode", toolCallId: "c1", input: {}, state: "input-available" };
  const answered = (parts: object[]) =>
    [
      { id: "u1", role: "user", parts: [] },
      { id: "a1", role: "assistant", parts },
    ] as never;
  followElsewhere(turns, "thread", answered([]));
  expect([turns.isWatched("thread"), turns.phases.get().get("thread")]).toEqual([true, "answering"]);
  followElsewhere(turns, "thread", answered([call]));
  followElsewhere(turns, "thread", answered([call]));
  const made = turns.elsewhere("c1");
  turns.readResults(answered([{ ...call, state: "output-available", output: { ok: true } }]));
  expect(await made).toEqual({ result: { ok: true } });
});
