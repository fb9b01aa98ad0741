/** Runs. */

import type { RunEvent } from "../bridge";
import { type Behaviour, connect, expectSame, imageAndSave, soon } from "./checks";

export const runBehaviours: readonly Behaviour[] = [
  {
    name: "a valid workflow runs to success, with its files by node",
    async check(comfy) {
      const { image, save } = imageAndSave(comfy);
      comfy.edit((editor) => editor.setWidget(image, "width", 64));
      connect(comfy, image, save);
      const submission = await comfy.queue.submit();
      if (!submission.accepted) throw new Error(`refused: ${submission.message}`);
      const record = await soon(() => comfy.queue.record(submission.promptId));
      expectSame(record.status, "success");
      expectSame(
        record.outputs.map(({ node, type, files }) => [node, type, files.map((file) => file.kind)]),
        [[save, "SaveImage", ["image"]]],
      );
      expectSame(await comfy.queue.place(submission.promptId), { state: "absent" });
      const url = record.outputs[0]?.files.map((file) => comfy.viewUrl(file))[0] ?? "";
      expectSame([url.startsWith("/"), url.includes("filename=")], [true, true]);
    },
  },
  {
    name: "a run is announced to whoever listens, and to nobody afterwards",
    async check(comfy) {
      const { image, save } = imageAndSave(comfy);
      connect(comfy, image, save);
      const heard: RunEvent[] = [];
      const unsubscribe = comfy.queue.subscribe((event) => heard.push(event));
      const submission = await comfy.queue.submit();
      if (!submission.accepted) throw new Error(`refused: ${submission.message}`);
      const isSettled = (event: RunEvent) =>
        event.type === "settled" && event.promptId === submission.promptId;
      await soon(async () => heard.find(isSettled));
      unsubscribe();
      const count = heard.length;
      const again = await comfy.queue.submit();
      if (again.accepted) await soon(() => comfy.queue.record(again.promptId));
      expectSame(heard.length, count);
    },
  },
  {
    name: "a workflow that misses an input is refused, naming node, input and reason",
    async check(comfy) {
      const save = comfy.edit((editor) => editor.addNode("SaveImage"));
      const submission = await comfy.queue.submit();
      expectSame(submission.accepted, false);
      expectSame(
        submission.problems.map(({ node, type, input, message }) => [node, type, input ?? "", message]),
        [[save, "SaveImage", "images", "Required input is missing"]],
      );
    },
  },
  {
    name: "an empty workflow is refused with a reason",
    async check(comfy) {
      const submission = await comfy.queue.submit();
      expectSame(submission.accepted ? "accepted" : submission.message, "Prompt has no outputs");
    },
  },
  {
    name: "an unknown prompt has no place and no record, and canceling it does nothing",
    async check(comfy) {
      expectSame(await comfy.queue.place("no-such-prompt"), { state: "absent" });
      expectSame(await comfy.queue.record("no-such-prompt"), undefined);
      await comfy.queue.cancel("no-such-prompt");
    },
  },
];
