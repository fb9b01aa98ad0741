import { expect, it } from "vitest";
import { submissionOf } from "./submission";

function submit(text: string) {
  const effects: string[] = [];
  const submission = submissionOf(text, {
    showHelp: () => effects.push("help"),
    newChat: (text) => {
      effects.push(`new: ${text}`);
      return "";
    },
    show: (view) => effects.push(Object.values(view).join(" ").trim()),
    perform: (action) => effects.push(Object.values(action).join(" ").trim()),
  });
  return { ...submission, effects };
}

it.each(["make it red", "/home/me/wf.json please load", "/skill image-basics make it red"])(
  "sends %j as plain text",
  (text) => {
    expect(submit(text)).toEqual({ kind: "send", effects: [] });
  },
);

it("answers /help in the panel", () => {
  expect(submit("/help")).toEqual({ kind: "done", text: "", effects: ["help"] });
});

it("takes what follows /new along into the new chat", () => {
  expect(submit("/new draw a cat")).toEqual({ kind: "done", text: "", effects: ["new: draw a cat"] });
});

it.each([
  ["/context", "context window"],
  ["/context clear", "clear"],
  ["/compact", "compact"],
  ["/compact the sampler settings", "compact the sampler settings"],
  ["/pin keep the seed", "pin keep the seed"],
  ["/goals", "context goals"],
  ["/history red image", "chats red image"],
  ["/history", "chats"],
  ["/settings", "settings"],
  ["/trace", "context tasks"],
  ["/config", "context options"],
  ["/model", "models"],
  ["/provider", "models"],
  ["/skill", "skills"],
  ["/skills", "skills"],
  ["/skill list", "skills"],
  ["/model List", "models"],
  ["/persona", "you persona"],
  ["/persona list", "you persona"],
  ["/config max_steps 12", "configure max_steps 12"],
])("carries out %j in the panel", (text, effect) => {
  expect(submit(text)).toEqual({ kind: "done", text: "", effects: [effect] });
});

it.each([
  ["/model qwen3:8b", { model: "qwen3:8b" }],
  ["/provider My own", { provider: "My own" }],
  ["/provider default", { provider: "" }],
])("has %j answered by what it names", (text, wanted) => {
  const performed: unknown[] = [];
  const nothing = () => "";
  submissionOf(text, {
    ...{ showHelp: nothing, newChat: nothing, show: nothing },
    perform: (action, typed) => performed.push({ ...action, typed }),
  });
  expect(performed).toEqual([{ kind: "answerer", wanted, typed: text }]);
});

it.each(["/halp", "/pin", "/context empty", "/config max_steps"])(
  "keeps %j and says what is missing",
  (text) => {
    expect(submit(text)).toMatchObject({ kind: "keep", hint: expect.stringMatching(/\S/), effects: [] });
  },
);

it("names the command that was meant, and keeps the text", () => {
  expect(submit("/hepl")).toMatchObject({
    kind: "keep",
    hint: expect.stringContaining("Did you mean /help?"),
    effects: [],
  });
  expect(submit("/xyzzy now")).toMatchObject({
    kind: "keep",
    hint: "There is no command /xyzzy. /help lists them. To send it as text, begin with another character.",
  });
});
