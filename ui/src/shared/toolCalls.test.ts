import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { failureCodes } from "./toolCalls";

it("knows the same codes as the server", () => {
  const contract = readFileSync(new URL("../../../contract/failureCodes.json", import.meta.url), "utf8");
  expect([...failureCodes]).toEqual(JSON.parse(contract));
});
