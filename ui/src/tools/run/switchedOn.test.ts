import { expect, it } from "vitest";
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
