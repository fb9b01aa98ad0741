import { expect, it } from "vitest";
import { createTurns } from "../chat/turns";
import { turnEvents } from "./turnEvents";

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
