import { describe, expect, it } from "vitest";
import { readRecord, readSubmission } from "./history";

const status = (text: string, ...messages: [string, object][]) => ({
  status_str: text,
  completed: text === "success",
  messages: messages.map(([name, detail]) => [name, { prompt_id: "p", ...detail }]),
});

const finished = status(
  "success",
  ["execution_start", { timestamp: 1795301820167 }],
  ["execution_cached", { nodes: [], timestamp: 1795301820171 }],
  ["execution_success", { timestamp: 1795301820222 }],
);

const prompt = [
  38,
  "p",
  { "3": { class_type: "SaveVideo", inputs: {} }, "5": { class_type: "PreviewAny", inputs: {} } },
  {},
  [],
];

describe("the record of a run", () => {
  it("tells files and texts by node, and how long it took by ComfyUI's clock", () => {
    expect(
      readRecord({
        prompt,
        outputs: {
          "3": {
            images: [{ filename: "clip_00002_.mp4", subfolder: "video", type: "output" }],
            animated: [true],
          },
          "5": { text: ["hello"] },
        },
        status: finished,
        meta: {},
      }),
    ).toEqual({
      status: "success",
      seconds: 0.055,
      outputs: [
        {
          node: "3",
          type: "SaveVideo",
          files: [{ kind: "video", filename: "clip_00002_.mp4", subfolder: "video", type: "output" }],
          texts: [],
        },
        { node: "5", type: "PreviewAny", files: [], texts: ["hello"] },
      ],
    });
  });

  it("tells which outputs were there before, as nothing that leads to them had changed", () => {
    const cached = status("success", ["execution_cached", { nodes: ["3", "9"] }]);
    const outputs = { "3": { text: ["a"] }, "5": { text: ["b"] } };
    expect(readRecord({ prompt, outputs, status: cached })?.outputs).toMatchObject([
      { node: "3", isCached: true },
      { node: "5", texts: ["b"] },
    ]);
    expect(readRecord({ prompt, outputs, status: cached })?.outputs[1]).not.toHaveProperty("isCached");
  });

  it.each([
    ["images", { filename: "a.png", subfolder: "", type: "output" }, "image"],
    ["images", { filename: "anim.WEBP", subfolder: "", type: "temp" }, "image"],
    ["gifs", { filename: "a.gif", subfolder: "", type: "output", format: "image/gif" }, "image"],
    ["images", { filename: "clip.webm", subfolder: "", type: "output" }, "video"],
    ["audio", { filename: "song.flac", subfolder: "audio", type: "output" }, "audio"],
    ["audio", { filename: "song", subfolder: "", type: "output" }, "audio"],
    ["3d", { filename: "mesh.glb", subfolder: "", type: "output" }, "other"],
  ])("knows what kind of file lies under %s: %o", (key, file, kind) => {
    const { filename, subfolder, type } = file;
    expect(
      readRecord({ prompt, outputs: { "3": { [key]: [file] } }, status: finished })?.outputs[0]?.files,
    ).toEqual([{ kind, filename, subfolder, type }]);
  });

  it("tells node, type, exception, message and names of an error, without traceback and long texts", () => {
    const record = readRecord({
      prompt,
      outputs: {},
      status: status(
        "error",
        ["execution_start", { timestamp: 1000 }],
        [
          "execution_error",
          {
            node_id: "2",
            node_type: "KSampler",
            exception_message: "mat1 and mat2 shapes cannot be multiplied\n",
            exception_type: "RuntimeError",
            traceback: ['  File "execution.py", line 510, in execute\n'],
            current_inputs: { latent: [`tensor(${"0., ".repeat(100)})`], sampler_name: ["euler"], seed: [5] },
            current_outputs: ["1"],
            executed: [],
            timestamp: 3500,
          },
        ],
      ),
    });
    expect(record).toEqual({
      status: "error",
      seconds: 2.5,
      outputs: [],
      error: {
        node: "2",
        type: "KSampler",
        exception: "RuntimeError",
        message: "mat1 and mat2 shapes cannot be multiplied",
        texts: { sampler_name: "euler" },
      },
    });
  });

  it("tells an interruption from an error", () => {
    const record = readRecord({
      prompt,
      outputs: {},
      status: status(
        "error",
        ["execution_start", { timestamp: 1000 }],
        ["execution_interrupted", { node_id: "2", node_type: "KSampler", executed: [], timestamp: 2000 }],
      ),
    });
    expect(record).toEqual({ status: "interrupted", seconds: 1, outputs: [] });
  });

  it.each([
    [
      "outputs that are no lists",
      { "3": { text: "hello", flag: true, count: 4, nothing: null } },
      ["hello"],
      0,
    ],
    [
      "files without a name",
      { "3": { images: [{ filename: "", subfolder: "", type: "temp" }, { a: 1 }] } },
      [],
      0,
    ],
    ["files without a folder", { "3": { images: [{ filename: "a.png" }] } }, [], 1],
  ])("survives %s", (_, outputs, texts, files) => {
    const output = readRecord({ prompt: null, outputs, status: null })?.outputs[0];
    expect(output?.texts).toEqual(texts);
    expect(output?.files).toHaveLength(files);
  });
});

describe("the answer to a prompt", () => {
  it("tells the id of an accepted one, and the nodes that were left out", () => {
    expect(
      readSubmission({
        prompt_id: "p",
        number: 3,
        node_errors: {
          "4": {
            class_type: "PreviewImage",
            dependent_outputs: ["4"],
            errors: [
              {
                type: "required_input_missing",
                message: "Required input is missing",
                details: "images",
                extra_info: { input_name: "images" },
              },
            ],
          },
        },
      }),
    ).toEqual({
      accepted: true,
      promptId: "p",
      problems: [{ node: "4", type: "PreviewImage", input: "images", message: "Required input is missing" }],
    });
  });

  it("tells node, input and reason of every error, each detail once", () => {
    const error = (message: string, details: string, input_name: string) => ({
      type: "some_type",
      message,
      details,
      extra_info: { input_name, input_config: ["INT", {}], received_value: "x" },
    });
    const refusal = readSubmission({
      error: {
        type: "prompt_outputs_failed_validation",
        message: "Prompt outputs failed validation",
        details: "",
        extra_info: {},
      },
      node_errors: {
        "1": {
          class_type: "KSampler",
          dependent_outputs: ["3"],
          errors: [
            error("Value not in list", "sampler_name: 'nope' not in (list of length 42)", "sampler_name"),
            error("Value 500.0 bigger than max of 100.0", "cfg", "cfg"),
            error(
              "Return type mismatch between linked nodes",
              "model, received_type(IMAGE) mismatch input_type(MODEL)",
              "model",
            ),
          ],
        },
      },
    });
    expect(refusal).toEqual({
      accepted: false,
      code: "prompt_outputs_failed_validation",
      message: "Prompt outputs failed validation",
      problems: [
        ["sampler_name", "Value not in list: 'nope' not in (list of length 42)"],
        ["cfg", "Value 500.0 bigger than max of 100.0"],
        [
          "model",
          "Return type mismatch between linked nodes: received_type(IMAGE) mismatch input_type(MODEL)",
        ],
      ].map(([input, message]) => ({ node: "1", type: "KSampler", input, message })),
    });
  });

  it.each([
    [
      "a missing node type",
      {
        error: {
          type: "invalid_prompt",
          message: "Cannot execute because node NoSuch does not exist.",
          details: "Node ID '#1'",
          extra_info: {},
        },
        node_errors: {},
      },
      "invalid_prompt",
      "Cannot execute because node NoSuch does not exist: Node ID '#1'",
    ],
    [
      "an error in plain text",
      { error: "The queue is full", node_errors: {} },
      "unknown",
      "The queue is full",
    ],
    ["an error without node errors", { error: { message: "No", details: "" } }, "unknown", "No"],
  ])("tells %s", (_, reply, code, message) => {
    expect(readSubmission(reply)).toEqual({ accepted: false, code, message, problems: [] });
  });

  it.each([
    [null, "?"],
    ["NoSuch", "NoSuch"],
  ])("names the node that ComfyUI has no class for, with the class %s", (class_type, type) => {
    const error = {
      type: "missing_node_type",
      message: "Node 'ID #6:17' has no class_type.",
      details: "Node ID '#6:17'",
      extra_info: { node_id: "6:17", class_type, node_title: null },
    };
    expect(readSubmission({ error, node_errors: {} })).toMatchObject({
      accepted: false,
      code: "missing_node_type",
      problems: [{ node: "6:17", type, message: "This node type is not installed" }],
    });
  });

  it.each([[null], [undefined], ["nonsense"], [{}], [{ prompt_id: 7 }]])(
    "is no answer when it is %o",
    (reply) => {
      expect(readSubmission(reply)).toBeUndefined();
    },
  );
});
