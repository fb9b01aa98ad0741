import type { UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import { chatRequestBody } from "./requestBody";
import { goOn } from "./turnNotice";

const message = (id: string): UIMessage => ({
  id,
  role: id.startsWith("u") ? "user" : "assistant",
  parts: [{ type: "text", text: id }],
});

const conversation = (...ids: string[]) => ids.map(message);

describe("chatRequestBody", () => {
  it.each([
    ["a first message alone", ["u1"], ["u1"], null],
    ["a later message with the answer before it", ["u1", "a1", "u2"], ["a1", "u2"], "a1"],
    ["two messages in a row", ["u1", "a1", "u2", "u3"], ["a1", "u2", "u3"], "u2"],
    ["the assistant message whose tools have run", ["u1", "a1", "u2", "a2"], ["a2"], undefined],
  ])("sends %s", (_, shown, sent, parentId) => {
    const body = chatRequestBody("thread", conversation(...shown), "submit-message", undefined);
    expect(body.messages.map(({ id }) => id)).toEqual(sent);
    expect(body.parentId).toEqual(parentId);
    expect("parentId" in body).toBe(parentId !== undefined);
  });

  it.each([
    ["budget", true],
    ["step-limit", undefined],
  ])("lets a turn spend more where the person went on after a notice of %s", (code, beyondBudget) => {
    const said = { ...message("u1"), metadata: goOn({ code, message: "Stopped." }).metadata };
    expect(chatRequestBody("thread", [said], "submit-message", undefined).beyondBudget).toBe(beyondBudget);
  });

  it("names the message to write again", () => {
    expect(chatRequestBody("thread", conversation("u1"), "regenerate-message", "a1")).toMatchObject({
      id: "thread",
      trigger: "regenerate-message",
      messageId: "a1",
    });
  });

  it.each(["Tool execution was cancelled.", "User cancelled tool call by sending a new message."])(
    "tells that a call was stopped by the person, where the library ended it: %s",
    (errorText) => {
      const part = {
        type: "tool-executeWorkflow",
        toolCallId: "c1",
        state: "output-error",
        input: {},
        errorText,
      } as const;
      const answer: UIMessage = { id: "a1", role: "assistant", parts: [part] };
      const body = chatRequestBody("thread", [answer, message("u2")], "submit-message", undefined);
      expect(body.messages[0]?.parts).toMatchObject([
        { toolCallId: "c1", state: "output-available", output: { ok: false, code: "stopped" } },
      ]);
      expect(body.messages[0]?.parts[0]).not.toHaveProperty("errorText", part.errorText);
    },
  );

  it("tells what a call had done when it was stopped", () => {
    const part = {
      type: "tool-findMissing",
      toolCallId: "c1",
      state: "output-error",
      input: {},
      errorText: "Tool execution was cancelled.",
    } as const;
    const answer: UIMessage = { id: "a1", role: "assistant", parts: [part] };
    const done: Record<string, string[]> = { c1: ["downloaded a into vae", "downloaded b into loras"] };
    const doneBy = (call: string) => done[call] ?? [];
    const body = chatRequestBody(
      "t",
      [answer, message("u2")],
      "submit-message",
      undefined,
      undefined,
      doneBy,
    );
    expect(body.messages[0]?.parts).toMatchObject([
      {
        output: {
          error:
            "The user stopped this call before it ended; what it had done by then stays: downloaded a into vae; downloaded b into loras.",
        },
      },
    ]);
  });

  it("repairs half an emoji, which the server could not read", () => {
    const body = chatRequestBody(
      "thread",
      [{ id: "u1", role: "user", parts: [{ type: "text", text: "cut \ud83d" }] }],
      "submit-message",
      undefined,
    );
    expect(body.messages[0]?.parts[0]).toEqual({ type: "text", text: "cut \ufffd" });
  });
});

it("brings the open workflow along where the model is shown it", () => {
  const workflow = { name: "mine", nodes: 0, graph: { nodes: [] } };
  expect(chatRequestBody("t", [], "submit-message", undefined, workflow).workflow).toEqual(workflow);
  expect(chatRequestBody("t", [], "submit-message", undefined)).not.toHaveProperty("workflow");
});
