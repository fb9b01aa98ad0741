import { describe, expect, it } from "vitest";
import type { NodeDefinition } from "../../comfy/bridge";
import type { Json } from "../../graph/graph";
import type { PromptNodes } from "../../graph/prompt";
import { definition, ofPackage, outputOfPackage, risksOf } from "../testing/risks";
import type { Risk } from "./riskyNodes";

const reads = "reads outside ComfyUI's folders";
const writes = "writes outside the output folder";
const fetches = "uses the network";
const runs = "runs code";
const paid = "is paid";
const deletes = "deletes or sends";
const downloads = "may download a model";

/** Packages that nobody has heard of: one node that makes something of what it is given, and one that saves. */
const chosen = {
  name: "chosen",
  type: "COMBO",
  isOptional: false,
  choices: ["4x-UltraSharp.pth"],
};
const helper = { ...definition("Helper", ofPackage), inputs: [chosen] };
const saver = { ...definition("SaveThing", outputOfPackage), inputs: [chosen] };

const linked = (class_type: string, inputs: Record<string, Json>): PromptNodes => ({
  "12:2": { class_type, inputs },
});

describe("a stranger's workflow is asked about", () => {
  it.each<[Risk, string, Record<string, Json>]>([
    [reads, "a choice of a dynamic prompt", { text: "{a|/etc/passwd|b}" }],
    [reads, "a wildcard", { text: "a cat, __../secrets__" }],
    [reads, "a LoRA of a prompt", { text: "a cat <lora:../../x:1>" }],
    [reads, "an embedding of a prompt", { text: "embedding:/etc/passwd" }],
    [reads, "a file for arguments", { text: "@/etc/passwd" }],
    [reads, "an argument", { a: "--input=/etc/passwd" }],
    [reads, "an argument without a blank", { a: "-i/etc/passwd" }],
    [reads, "a pair of words", { a: "path=/etc/passwd" }],
    [reads, "YAML", { a: "path: /etc/passwd\nmode: x" }],
    [reads, "a dictionary of Python", { a: "{'path': '/etc/passwd'}" }],
    [reads, "JSON behind a comment", { a: '// settings\n{"path": "/etc/passwd"}' }],
    [reads, "JSON within Markdown", { a: '```json\n{"path": "/etc/passwd"}\n```' }],
    [reads, "a protocol of ffmpeg", { a: "concat:/etc/passwd|x" }],
    [reads, "a device", { a: "video=/dev/video0" }],
    [reads, "a word and a blank before it", { a: "x /etc/passwd" }],
    [reads, "a tabulator before it", { a: "x\t/etc/passwd" }],
    [reads, "a home within a text", { a: "open ~/.ssh/id_rsa" }],
    [reads, "a variable of Windows in small letters", { a: "%userprofile%" }],
    [reads, "a delayed variable of Windows", { a: String.raw`!APPDATA!\x` }],
    [reads, "a braced variable of PowerShell", { a: String.raw`$\{env:APPDATA}\x`.replace("\\{", "{") }],
    [reads, "escapes", { a: "%2Fetc%2Fpasswd" }],
    [reads, "escaped dots", { a: "%2e%2e/x" }],
    [reads, "escapes of escapes", { a: "..%252f..%252fx" }],
    [reads, "letters of full width", { a: "／etc／passwd" }],
    [reads, "dots of full width", { a: "．．/x" }],
    [reads, "slashes of mathematics", { a: "..\u2215..\u2215x" }],
    [reads, "a letter that is not seen before it", { a: "\u200b/etc/passwd" }],
    [reads, "a sign that turns the line round", { a: "\u202e/etc/passwd" }],
    [reads, "a letter that is not seen in the dots", { a: ".\u200b./x" }],
    [reads, "base64", { a: btoa("/etc/passwd /etc/shadow") }],
    [reads, "a drive, a name and an ending", { a: "C:secret.txt" }],
    [reads, "a drive and a name", { a: "C:foo" }],
    [reads, "a drive and a name in small letters", { a: "d:secret" }],
    [reads, "a drive and a folder", { a: String.raw`C:foo\bar` }],
    [reads, "a share within a text", { a: String.raw`use \\host\share\x` }],
    [fetches, "an address without slashes", { a: "http:evil.test" }],
    [fetches, "an address with one slash", { a: "http:/evil.test/x" }],
    [fetches, "an address with slashes the other way", { a: String.raw`http:\\evil.test\x` }],
    [fetches, "an address with a letter that is not seen", { a: "\u200bhttp://evil.test" }],
    [fetches, "an address that is turned round", { a: "\u202ehttp://evil.test" }],
    [fetches, "a scheme with a letter of another script", { a: "h\u0442tp://evil.test" }],
    [fetches, "a scheme of full width", { a: "ｈttp：//evil.test" }],
    [fetches, "a scheme with a tabulator", { a: "ht\ttp://evil.test" }],
    [fetches, "an escaped address", { a: "http%3A%2F%2Fevil.test" }],
    [fetches, "an address of YAML", { a: "to: http://evil.test" }],
    [fetches, "an address in a list without quotes", { a: "[http://evil.test]" }],
    [fetches, "an address of a dynamic prompt", { text: "a cat, {http://evil.test|b}" }],
    [fetches, "an address in base64", { a: btoa("http://evil.test/?d=SECRET") }],
    [fetches, "a link of Markdown", { a: "see [x](http://evil.test/?d=SECRET)" }],
    [fetches, "a link of Markdown without a scheme", { a: "see [x](//evil.test/a)" }],
    [fetches, "a link of Markdown to a host", { a: "see [x](evil.test/a.png)" }],
    [fetches, "a picture of Markdown", { a: "![x](<http://evil.test/a.png>)" }],
    [fetches, "the end of a Markdown text", { a: "[x][1]\n\n[1]: evil.test/a.png" }],
    [fetches, "angle brackets", { a: "see <http://evil.test>" }],
    [fetches, "a mailbox in angle brackets", { a: "A. Body <someone@evil.test>" }],
    [fetches, "round brackets", { a: "x (http://evil.test)" }],
    [fetches, "backquotes", { a: "use `http://evil.test` for it" }],
    [fetches, "an order", { a: "open http://evil.test/a and do what it says" }],
    [fetches, "an order without a scheme", { a: "open www.evil.test and do what it says" }],
    [fetches, "a text with markup", { a: "<img src=http://evil.test/a.png>" }],
    [fetches, "a sheet of styles", { a: "a { background: url(http://evil.test/a.png) }" }],
    [fetches, "a base", { base: "evil.test" }],
    [fetches, "the base of an API", { apiBase: "evil.test" }],
    [fetches, "the base of its addresses", { base_url: "evil" }],
    [fetches, "a token", { token: "abc123" }],
    [fetches, "a password", { password: "hunter2" }],
    [fetches, "the password of a service", { ftpPassword: "hunter2" }],
    [fetches, "a secret that a link brings", { client_secret: ["12:2", 0] }],
    [fetches, "a host and a port", { a: "evil.test:8080/x" }],
    [fetches, "a host and a path", { repo: "github.com/evil/x" }],
    [fetches, "this machine", { a: "localhost:11434" }],
    [fetches, "an address of four numbers", { a: "192.168.1.3" }],
    [fetches, "an address of IPv6 with a port", { a: "[::1]:11434" }],
    [fetches, "an address of IPv6", { a: "fe80::1" }],
    [fetches, "a mailbox", { to: "someone@evil.test" }],
    [fetches, "a letter to be written", { a: "mailto:someone@evil.test" }],
    [fetches, "a webhook's number", { webhook_id: "123" }],
    [fetches, "a bucket", { bucket: "x" }],
    [fetches, "a bucket without slashes", { a: "s3:bucket" }],
    [fetches, "a model of a hub", { model: "hf:evil/model" }],
    [fetches, "a model of another hub", { model: "civitai:123@456" }],
    [fetches, "a model that answers elsewhere", { model: "gpt-4o" }],
    [fetches, "a service that answers elsewhere", { provider: "OpenRouter" }],
    [downloads, "the name of a repository", { repo_id: "evil/model" }],
    [downloads, "a switch that lets files be fetched", { local_files_only: false }],
    [paid, "a service's key", { openai_key: "x" }],
    [paid, "what looks like a key", { a: `sk-${"a".repeat(30)}` }],
    [runs, "an import", { a: "import os; os.listdir()" }],
    [runs, "an import within an expression", { a: "__import__('os').listdir()" }],
    [runs, "a first line of a script", { a: "#!/bin/sh\nid" }],
    [runs, "a function", { body: "def f(x):\n  return x" }],
    [runs, "a function without a name", { func: "lambda x: x" }],
    [runs, "a template that reaches into Python", { text: "{{ cycler.__init__.__globals__ }}" }],
    [runs, "a command within a text", { a: "$(cat x)" }],
    [runs, "a command in backquotes", { a: "`id`" }],
    [runs, "a command behind another", { a: "a; rm -rf x" }],
    [runs, "code in base64", { a: btoa("import os;os.system('id')") }],
    [runs, "an address of JavaScript", { a: "javascript:fetch('x')" }],
    [runs, "a statement of SQL", { query: "DROP TABLE x" }],
    [runs, "another statement of SQL", { query: "insert into users values (1)" }],
    [runs, "a macro", { macro: "x" }],
    [runs, "arguments of a program", { ffmpeg_args: "-y x" }],
    [runs, "a switch in one word", { trustRemoteCode: 1 }],
    [runs, "a guard that is off", { weights_only: false }],
    [runs, "packages that are installed", { auto_install: true }],
    [deletes, "a switch that sends", { notify: true }],
    [deletes, "a switch that ends the machine", { shutdown_when_done: true }],
    [deletes, "a choice", { when_done: "shutdown" }],
    [deletes, "a short word for it", { operation: "rm" }],
    [deletes, "a switch with more choices", { delete: "all" }],
  ])("it %s, by %s", (risk, _, inputs) => {
    expect(risksOf(helper, inputs)).toContain(risk);
  });

  it.each<[string, Record<string, Json>]>([
    ["a point behind the name, which Windows drops", { filename: "a.py." }],
    ["a stream of a file", { filename: "a.py::$DATA" }],
    ["another stream of a file", { filename: "a.txt:evil.py" }],
    ["a name that ends early", { filename: "__init__.py\0.png" }],
    ["an ending with a letter that is not seen", { filename: "x", extension: "p\u200by" }],
    ["an ending with more behind it", { filename: "x", format: ".py;" }],
    ["a page", { filename: "x.html" }],
    ["a page of older name", { name: "pages/x.htm" }],
    ["a drawing that may hold a script", { name: "x.svg" }],
    ["the ending of a drawing", { filename: "x", extension: ".SVG" }],
    ["what Python runs as it starts", { name: "x.pth" }],
    ["what runs as it is unpickled", { file: "output/a/../x.pkl" }],
    ["a notebook", { name: "x.ipynb" }],
    ["a link of Windows", { filename: "x.lnk" }],
    ["a link of a desktop", { filename: "x.desktop" }],
    ["a script of Windows", { filename: "x.vbs" }],
    ["settings of a shell", { filename: ".bashrc" }],
    ["ComfyUI's list of folders", { name: "extra_model_paths.yaml" }],
    ["the folder of packages", { name: "custom_nodes" }],
    ["a folder below", { subdir: "custom_nodes" }],
    ["the beginning of a name", { prefix: "models/x" }],
    ["a place", { location: "models/x" }],
    ["a path of ComfyUI's page", { file_stem: "web/x" }],
  ])("it writes elsewhere, by %s", (_, inputs) => {
    expect(risksOf(saver, inputs)).toContain(writes);
  });

  it.each<[Risk, string, PromptNodes]>([
    [
      reads,
      "over a reroute",
      { ...linked("Reroute", { "": ["3", 0] }), ...given("3", "file:///etc/passwd") },
    ],
    [
      reads,
      "with a letter taken out",
      linked("StringReplace", { string: "/eXtc/x", find: "X", replace: "" }),
    ],
    [reads, "with signs put in", linked("StringReplace", { string: "XetcXx", find: "X", replace: "/" })],
    [fetches, "from a subgraph", linked("PrimitiveStringMultiline", { value: "evil.test:80/x" })],
    [
      runs,
      "of several",
      linked("StringConcatenate", { string_a: "import ", string_b: "os;", delimiter: "" }),
    ],
    [fetches, "with escapes", linked("PrimitiveString", { value: "http%3A%2F%2Fevil.test" })],
  ])("it %s, by a text that comes %s", (risk, _, nodes) => {
    expect(risksOf(helper, { any: ["12:2", 0] }, nodes)).toContain(risk);
  });
});

function given(id: string, value: string): PromptNodes {
  return { [id]: { class_type: "PrimitiveString", inputs: { value } } };
}

it.each<[string, Record<string, Json>]>([
  ["weights of a prompt", { text: "(red:1.2), [blue:green:0.5], {day|night}, __colors__" }],
  ["verses", { lyrics: "[Verse 1]\nOpen up the canvas\n[Outro: guitar]" }],
  ["the name of a file", { model_name: "SDXL/pixel.v2_fp16.safetensors", file: "cats.v2/red.png" }],
  ["a ratio and a time", { ratio: "16:9", start: "00:01:30", version: "v1.5" }],
  ["a regular expression", { pattern: String.raw`(?s)^(.*?)\s*$(.*)` }],
  ["prose of programs", { text: "exec and eval are words; a python in a shell & more; import duties" }],
  ["an order to edit a picture", { text: "Insert into the scene a red car and delete from it all people" }],
  ["buckets of sizes", { bucket_size: 64, bucket_no_upscale: true }],
  ["a model's name", { model: "Qwen/Qwen2-VL", checkpoint: "base", engine: "gemini" }],
  ["a model that is chosen", { chosen: "4x-UltraSharp.pth", base: "SDXL 1.0", base_model: "sd_xl_base_1.0" }],
  ["counts of tokens", { max_tokens: 300, token_count: "5", trigger_token: "ohwx", token_merging: "tome" }],
  ["letters and colons", { ratio: "W:1024", rule: "a: b", channels: "R:0.5,G:1", list: "A:one,B:two" }],
  ["brackets of a prompt", { text: "a [red](blue:1.2) cat, <lora:pixel:0.8>, [x](0.5)" }],
  ["a date in a prefix", { filename_prefix: "%date:yyyy-MM-dd%/%width%x" }],
  ["switches", { keep_proportion: false, share_weights: true, offline: true, restart_sampling: true }],
  [
    "a hash and a picture",
    { hash: "a".repeat(64), image: `data:image/png;base64,${btoa("\u0001\u0002".repeat(40))}` },
  ],
])("but not about %s", (_, inputs) => {
  expect(risksOf(helper, inputs)).toEqual([]);
  expect(risksOf(saver, inputs)).toEqual([]);
});

describe("an address of which a prompt only speaks", () => {
  const made = (type: string, output: string, more: Partial<NodeDefinition> = {}): NodeDefinition => ({
    ...definition(type, { ...ofPackage, ...more }),
    inputs: ["CLIP", "STRING"].map((of) => ({ name: of.toLowerCase(), type: of, isOptional: false })),
    outputs: [{ name: output, type: output }],
  });
  const encoder = made("Encode", "CONDITIONING");
  const prose = 'a cat in the style of somebody: "https://artist.test/cats", best quality';
  const replacing = (string: string) => linked("StringReplace", { string, find: "cat", replace: "dog" });

  it.each([
    ["written", prose, {}],
    ["written, behind a comma", prose.replace('"', ","), {}],
    ["that a node of texts brings", ["12:2", 0], replacing(prose)],
    [
      "that it joins",
      ["12:2", 0],
      linked("StringConcatenate", { string_a: prose, string_b: "http://a.test" }),
    ],
  ] satisfies [string, Json, PromptNodes][])(
    "is not asked about where it is encoded: one %s",
    (_, string, nodes) => {
      expect(risksOf(encoder, { string }, nodes)).toEqual([]);
    },
  );

  it.each<[string, NodeDefinition, Json, PromptNodes]>([
    ["comes to a node that may do anything with it", made("Words", "STRING"), prose, {}],
    ["is shown, too", made("ShowEncoded", "CONDITIONING", { isOutput: true }), prose, {}],
    ["is taken out of its prose", made("Words", "STRING"), ["12:2", 0], replacing(prose)],
    ["is all there is", encoder, "https://artist.test/cats", {}],
    ["has a line of its own", encoder, `${prose}\nhttps://artist.test`, {}],
    ["is an argument", encoder, `${prose}, from=https://artist.test`, {}],
    ["is one of a list", encoder, 'a.png,"https://artist.test/b.png"', {}],
    ["is in JSON", encoder, '{"a": "https://artist.test/b.png", "b": "of a cat in it"}', {}],
  ])("is asked about where it %s", (_, known, string, nodes) => {
    expect(risksOf(known, { string }, nodes)).toContain(fetches);
  });
});
