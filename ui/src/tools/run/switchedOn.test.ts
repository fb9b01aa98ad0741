import { describe, expect, it } from "vitest";
import type { Json } from "../../graph/graph";
import { definition, ofPackage, risksOf } from "../testing/risks";

it.each<[Record<string, Json>, string]>([
  [{ delete_original: true }, "deletes or sends"],
  [{ delete_file_after: "yes" }, "deletes or sends"],
  [{ clearOutputFolder: true }, "deletes or sends"],
  [{ upload_result: true }, "deletes or sends"],
  [{ push_to_hub: true }, "deletes or sends"],
  [{ action: "delete" }, "deletes or sends"],
  [{ auto_download: true }, "may download a model"],
  [{ 自动下载: true }, "may download a model"],
  [{ trust_remote_code: true }, "runs code"],
  [{ allow_code_execution: "true" }, "runs code"],
  [{ operation: "run script" }, "runs code"],
])("%j of a package's node %s", (inputs, risk) => {
  expect(risksOf(definition("Loader", ofPackage), inputs)).toEqual([risk]);
  expect(risksOf(definition("Loader"), inputs)).toEqual([]);
});

it.each<Record<string, Json>>([
  { delete_original: false },
  { auto_download: "no" },
  { remove_background: true, clear_cache: true, keep_original: true, save_output: true, encode: true },
  { mode: "remove", action: "encode" },
])("%j is ordinary", (inputs) => {
  expect(risksOf(definition("Loader", ofPackage), inputs)).toEqual([]);
});

describe("what keeps a package's node from downloading, and is off", () => {
  const loader = (name: string, standard?: Json) => ({
    ...definition("Loader", ofPackage),
    inputs: [
      { name, type: "BOOLEAN", isOptional: false, ...(standard !== undefined && { default: standard }) },
    ],
  });

  it.each<[string, Json | undefined, Json]>([
    ["local_files_only", true, false],
    ["offline", true, "no"],
    ["local_files_only", undefined, false],
  ])("is asked about where the package has it on, or does not say: %s of %s", (name, standard, value) => {
    expect(risksOf(loader(name, standard), { [name]: value })).toEqual(["may download a model"]);
  });

  it("is ordinary where the package has it off, whatever else is asked about", () => {
    const usual = loader("local_files_only", false);
    expect(risksOf(usual, { local_files_only: false })).toEqual([]);
    expect(risksOf(usual, { local_files_only: false, repo_id: "evil/model" })).toEqual([
      "may download a model",
    ]);
  });

  it("but not what keeps it from running code", () => {
    expect(risksOf(loader("weights_only", false), { weights_only: false })).toEqual(["runs code"]);
  });
});
