import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contractText, estimatedTokens, toolContract } from "./contract";

describe("the contract", () => {
  it("is committed as the tools are now; `npm run contract` writes it", () => {
    const committed = readFileSync(new URL("../../../contract/tools.json", import.meta.url), "utf8");
    expect(committed).toBe(contractText());
  });

  it("costs a request less than 2,300 tokens", () => {
    expect(estimatedTokens()).toBeLessThan(2300);
  });

  it("names and describes every tool and every parameter's type", () => {
    for (const { name, description, parameters } of toolContract) {
      expect(name).toMatch(/^[a-z][A-Za-z]+$/);
      expect(description).toMatch(/\.$/);
      for (const property of Object.values(parameters.properties ?? {}))
        expect(property.type).toMatch(/^(string|number|integer|boolean|array|object)$/);
    }
  });
});
