import { expect, it } from "vitest";
import { laterPart } from "./laterPart";

it("gives the part", async () => {
  await expect(laterPart(Promise.resolve({ run: 1 }))).resolves.toEqual({ run: 1 });
});

it("says what to do where the part is gone, as after an update", async () => {
  await expect(laterPart(Promise.reject(new TypeError("Failed to fetch")))).rejects.toMatchObject({
    message: "The part of the assistant that does this could not be loaded, so nothing was done.",
    hint: "The page has to be reloaded; say so.",
  });
});
