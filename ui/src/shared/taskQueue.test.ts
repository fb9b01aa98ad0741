import { expect, it } from "vitest";
import { createTaskQueue } from "./taskQueue";

it("does one task after the other, also after one that fails", async () => {
  const inOrder = createTaskQueue();
  const done: string[] = [];
  const task = (name: string) => async () => {
    done.push(`begin ${name}`);
    await Promise.resolve();
    done.push(`end ${name}`);
    if (name === "one") throw new Error(name);
    return name;
  };
  const [one, two] = [inOrder(task("one")), inOrder(task("two"))];
  await expect(one).rejects.toThrow("one");
  expect(await two).toBe("two");
  expect(done).toEqual(["begin one", "end one", "begin two", "end two"]);
});
