import { describe, expect, it } from "vitest";
import type { Json } from "../../graph/graph";
import { definition, ofPackage, outputOfPackage, risksOf } from "../testing/risks";
import { isAddress, isLooseAddress, isProse, leavesInput } from "./valueLooks";

const reads = "reads outside ComfyUI's folders";
const writes = "writes outside the output folder";
const fetches = "uses the network";

describe("a node of a package is asked about, however a path or an address is written", () => {
  it.each<[string, Record<string, Json>]>([
    ["a file: address of one slash", { src: "file:/etc/passwd" }],
    ["a path within quotes, which nodes take off", { video: '"/etc/passwd"' }],
    ["two variables of Windows", { src: String.raw`%HOMEDRIVE%%HOMEPATH%\x` }],
    ["a variable alone", { src: "$HOME" }],
    ["a variable of PowerShell", { src: String.raw`$env:APPDATA\x` }],
    ["our own settings", { file: "user/default/assistant/settings.json" }],
    ["our own settings, called anything", { name: "user/default/assistant/settings.json" }],
    ["a second line", { a: "a.png\n/etc/passwd" }],
    ["a second line behind one in the output folder", { paths: "output/a\n/etc/passwd" }],
    ["a second one behind a comma", { files: "output/a,/etc/passwd" }],
    ["the name of a folder", { folder_name: "custom_nodes" }],
    ["several paths", { paths: "custom_nodes" }],
    ["JSON", { config: '{"path": "/etc/passwd"}' }],
    ["JSON within JSON", { config: JSON.stringify({ a: JSON.stringify({ file: "/etc/passwd" }) }) }],
    ["a name in an object", { files: { "/etc/passwd": true } }],
    ["a list", { files: ["a", "b", "/etc/passwd"] }],
    ["Chinese", { 文件路径: "custom_nodes" }],
    ["letters of full width", { ＰＡＴＨ: "custom_nodes" }],
    ["a program that a node of no telling name is given", { name: "evil.py" }],
  ])("reading, by %s", (_, inputs) => {
    expect(risksOf(definition("Loader", ofPackage), inputs)).toEqual([reads]);
  });

  it.each<[string, Json]>([
    ["steps that stay where they are", "././custom_nodes/x"],
    ["a doubled slash", ".//custom_nodes/x"],
    ["a drive without a slash", "C:evil"],
    ["blanks behind the dots, which Windows drops", "output/.. /x"],
    ["a date before the dots", "%date%/../x"],
  ])("writing, by %s", (_, file) => {
    expect(risksOf(definition("SaveText", outputOfPackage), { file })).toEqual([writes]);
  });

  it.each(["AppendText", "LogText", "CopyImage", "Text2Disk"])("writing, by the name %s", (type) => {
    expect(risksOf(definition(type, ofPackage), { a: "custom_nodes/x" })).toEqual([writes]);
  });

  it.each<[string, Record<string, Json>]>([
    ["no scheme", { a: "www.evil.test/x" }],
    ["a magnet", { a: "magnet:?xt=urn:btih:1" }],
    ["a name for ssh", { a: "git@evil.test:x.git" }],
    ["an input in one word", { imageurl: "evil.test/x" }],
    ["the base of an interface", { api_base: "evil.test/x" }],
    ["a comma", { a: "a.png,https://evil.test/x" }],
    ["a bar", { a: "a.png|https://evil.test/x" }],
    ["escapes of JSON", { a: String.raw`{"u": "http:\/\/evil.test"}` }],
    ["Chinese", { 网址: "evil.test" }],
  ])("fetching, by %s", (_, inputs) => {
    expect(risksOf(definition("Loader", ofPackage), inputs)).toEqual([fetches]);
  });

  it.each(["运行代码", "执行脚本"])("running code, by the Chinese name %s", (type) => {
    expect(risksOf(definition(type, ofPackage), {})).toEqual(["runs code"]);
  });
});

it.each<[string, string, Record<string, Json>]>([
  ["lines of a text, comments and prose", "Loader", { text: "/ a slash\n// a comment\nsee http: and /x y" }],
  ["a shader", "Shader", { fragment_shader: "// draws\nvoid main() { }" }],
  ["a model's own folder", "Loader", { lora_name: "models/x.safetensors" }],
  ["a prefix with a date", "SaveImagePlus", { filename_prefix: "cats/%date%/red" }],
  ["the output folder, with steps that stay", "SaveImagePlus", { path: "./output/./cats" }],
])("%s are ordinary", (_, type, inputs) => {
  expect(risksOf(definition(type, outputOfPackage), inputs)).toEqual([]);
});

it.each(["/home/somebody/x.png", "../../x.png", String.raw`\\host\share\x.png`, "a/../../x.png"])(
  "a node of ComfyUI's own that reads %s is asked about: nothing holds it in the input folder",
  (image) => {
    expect(risksOf(definition("LoadImage"), { image })).toEqual([reads]);
    expect(risksOf(definition("CLIPTextEncode"), { text: image })).toEqual([]);
  },
);

it.each(["a-", "ftp.", "../", "\"'", "1:", "@a"])(
  "reads a long text of %j, which would take minutes in square",
  (piece) => {
    const text = `www.a${piece.repeat(200_000 / piece.length)} x`;
    expect([isAddress(text), isLooseAddress(text), isProse(text)]).toEqual([piece === "ftp.", false, false]);
    expect(leavesInput("image", text)).toBe(piece === "../");
  },
);

it.each([
  ["a long word", `(a.${"x".repeat(1_000)}http://evil.test/x)`],
  ["a sign", "see --http://evil.test"],
])("finds an address behind %s that it stands against", (_, text) => {
  expect(isAddress(text)).toBe(true);
});
