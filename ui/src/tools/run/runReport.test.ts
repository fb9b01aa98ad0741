import { expect, it } from "vitest";
import { reportOf } from "./runReport";

it("tells of a run that failed which seeds were drawn anew for the next one", () => {
  const rolled = [{ node: "3", input: "seed", used: 5, now: 1014 }];
  const record = { status: "error" as const, outputs: [] };
  const failed = { isOfPackage: () => false, files: () => [] };
  expect(
    reportOf({ status: "finished", promptId: "p1", record, problems: [], rolled }, 1, failed),
  ).toMatchObject({
    status: "failed",
    failure: { ok: false, changes: { added: {}, changed: { "3": "seed=5→1014" }, removed: {} } },
  });
});
