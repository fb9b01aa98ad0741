import { describe, expect, it } from "vitest";
import { edit } from "./testing/editCalls";
import { testCalls } from "./testing/testCall";

describe("deleting many nodes", () => {
  const four = () => testCalls(["EmptyImage", "EmptyImage", "EmptyImage", "EmptyImage"]);
  const remove = { op: "remove", nodes: ["1", "2", "3", "4"] };

  it("is done when the person agrees, who was told which", async () => {
    const calls = four();
    expect(await edit(calls, remove)).toMatchObject({ ok: true });
    expect(calls.asked).toMatchObject([
      { title: "Delete EmptyImage (1), EmptyImage (2), EmptyImage (3), EmptyImage (4)?" },
    ]);
    expect(calls.comfy.graph().nodes).toEqual([]);
  });

  it("is not done when the person does not", async () => {
    const calls = four();
    calls.isAllowed = false;
    expect(await edit(calls, remove)).toMatchObject({
      ok: false,
      error:
        "The user declined: Delete EmptyImage (1), EmptyImage (2), EmptyImage (3), EmptyImage (4)? Nothing was changed.",
    });
    expect(calls.comfy.graph().nodes).toHaveLength(4);
  });

  it("is not asked for when there are few, all of the assistant's own", async () => {
    const calls = testCalls();
    await edit(calls, ...["a", "b", "c"].map((name) => ({ op: "add", type: "EmptyImage", as: name })));
    await edit(calls, { op: "remove", nodes: ["1", "2", "3"] });
    expect(calls.asked).toEqual([]);
  });
});
