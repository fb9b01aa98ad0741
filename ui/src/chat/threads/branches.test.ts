import { describe, expect, it } from "vitest";
import type { Branch } from "../../api/replies";
import { versionsAfter } from "./branches";

/** `"3<1@u2"` is branch 3, which left branch 1 after message u2; the last one with a star is current. */
function branches(...written: string[]): Branch[] {
  return written.map((each) => {
    const [, id = "", parentId = null, forkMessageId = "", star] =
      /^(\w+)(?:<(\w+)@(\w*))?(\*)?$/.exec(each) ?? [];
    return {
      id,
      parentId,
      forkMessageId,
      firstMessageId: `first-${id}`,
      isCurrent: star === "*",
      preview: "",
    };
  });
}

const versions = (written: Branch[], previousId: string) => {
  const found = versionsAfter(written, previousId);
  return found && [found.branches.map(({ id }) => id).join(" "), found.shown];
};

describe("the versions of a message", () => {
  it.each([
    ["are none in a thread that went one way", ["0*"], "u1", undefined],
    ["are the first answer and another one", ["0", "1<0@u1*"], "u1", ["0 1", 1]],
    ["are there as well after going back", ["0*", "1<0@u1"], "u1", ["0 1", 0]],
    ["are only where the ways part", ["0", "1<0@u1*"], "u2", undefined],
    ["grow with each further answer", ["0", "1<0@u1", "2<1@u1*"], "u1", ["0 1 2", 2]],
    ["hold for what came later on the same way", ["0", "1<0@u1", "2<1@u5*"], "u1", ["0 1", 1]],
    ["are told of the later parting too", ["0", "1<0@u1", "2<1@u5*"], "u5", ["1 2", 1]],
    ["of the first message are those that begin anew", ["0", "1<0@*"], "", ["0 1", 1]],
  ])("%s", (_, written, previousId, expected) => {
    expect(versions(branches(...written), previousId)).toEqual(expected);
  });

  it("leave out a branch in which nothing was said", () => {
    const [first, second] = branches("0*", "1<0@u1");
    if (!first || !second) throw new Error("two branches were written");
    expect(versions([first, { ...second, firstMessageId: "" }], "u1")).toBeUndefined();
  });
});
