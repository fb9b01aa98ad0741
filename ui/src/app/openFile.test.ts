import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Workflow } from "../comfy/bridge";
import { watchOpenFile } from "./openFile";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("follows the open workflow, and tells where one has got another file", () => {
  let open: Workflow = { key: "1", name: "a", isModified: false };
  const others: string[] = [];
  const file = watchOpenFile({ workflow: () => open }, (from, to) => others.push(`${from} ${to}`));
  const show = (key: string, path?: string) => {
    open = { key, name: "x", isModified: false, ...(path !== undefined && { file: path }) };
    vi.advanceTimersByTime(1000);
    return file.get();
  };
  expect(file.get()).toBeUndefined();
  expect(show("1", "a.json")).toBe("a.json");
  expect(show("2", "b.json")).toBe("b.json");
  expect(others).toEqual([]);
  expect(show("1", "c.json")).toBe("c.json");
  expect(show("1")).toBeUndefined();
  expect(show("1", "d.json")).toBe("d.json");
  expect(others).toEqual(["a.json c.json", "c.json d.json"]);
});
