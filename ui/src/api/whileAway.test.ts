import { expect, it } from "vitest";
import { RequestError, unreachable } from "./errors";
import { whileAway } from "./whileAway";

const refused = new RequestError({ code: "turn_running", message: "", hint: "" }, 409);

function answers(...each: (string | Error)[]) {
  let asked = 0;
  const ask = async () => {
    const answer = each[Math.min(asked++, each.length - 1)];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { ask, asked: () => asked };
}

it("asks until there is an answer, whatever that is", async () => {
  const comesBack = answers(unreachable(), unreachable(), "here");
  expect(await whileAway(comesBack.ask, null, [0, 0, 0])).toBe("here");
  expect(comesBack.asked()).toBe(3);
  const refuses = answers(unreachable(), refused);
  await expect(whileAway(refuses.ask, null, [0, 0, 0])).rejects.toBe(refused);
});

it("gives up after the last pause, and where it is stopped", async () => {
  const gone = answers(unreachable());
  await expect(whileAway(gone.ask, null, [0, 0])).rejects.toThrow("ComfyUI did not answer.");
  expect(gone.asked()).toBe(3);
  const stopped = answers(unreachable());
  await expect(whileAway(stopped.ask, AbortSignal.abort(), [0, 0])).rejects.toThrow();
  expect(stopped.asked()).toBe(1);
});
