import { expect, it } from "vitest";
import { growsInProportion } from "../shared/testGrowth";
import { fetchedAddresses, fetchedWhenJoined } from "./fetchedAddresses";

const hosts = (text: string, page = "http://127.0.0.1:8188/") => [
  ...new Set(fetchedAddresses(text, page).map(({ host }) => host)),
];

it.each([
  "![](http://evil.test/a.png)",
  "![a cat](<https://evil.test/a b.png>)",
  "![a](//evil.test/a.png)",
  "![a](/\\evil.test/a.png)",
  "![a](\\\\evil.test\\a.png)",
  "![a](https\\://evil.test/a.png)",
  "![a](https:evil.test/a.png)",
  "![a](  \n https://evil.test/a.png)",
  "![a](&#104;ttps://evil.test)",
  "![a](https&colon;&sol;&sol;evil.test)",
  "![a](https&amp;colon;//evil.test)",
  "![`]`](https://evil.test/)",
  "![a [b](local.png)](https://evil.test/)",
  "![a\n\u00a0\nb](https://evil.test/)",
  "![a][cat]\n\n[cat]: https://evil.test/a.png",
  "![cat]\n\n[cat]:\n  <https://evil.test/a.png>",
  "[![a](https://evil.test/badge.svg)](https://good.test)",
  "![a](/view?filename=a.png) ![`b`](https://evil.test/)",
  '<img src="https://evil.test/a.png">',
  "<img src=https://evil.test/a.png>",
  "<img/src='//evil.test'>",
  '<img alt=">" src="https://evil.test/">',
  '<IMG SRC = "ht\ntps://evil.test/">',
  '<img src="&#x68;ttps://evil.test/">',
  '<img src="/view?filename=a.png" srcset="/view?a 1x, https://evil.test/b.png 2x">',
  '<video poster="https://evil.test/a.png"></video>',
  '<video><source src="https://evil.test/a.mp4"></video>',
  '<audio src="https://evil.test/a.mp3"></audio>',
  '<iframe src="https://evil.test/"></iframe>',
  '<iframe srcdoc="&lt;img src=https://evil.test&gt;"></iframe>',
  '<object data="https://evil.test/"></object>',
  '<link rel=stylesheet href="https://evil.test/a.css">',
  '<base href="https://evil.test/"><img src=a.png>',
  '<meta http-equiv="refresh" content="0;url=https://evil.test/">',
  '<svg><image href="https://evil.test/a.png"/></svg>',
  '<svg><use xlink:href="https://evil.test/a.svg#b"/></svg>',
  '<table background="https://evil.test/a.png">',
  '<p style="background: url(https://evil.test/a.png)">',
  "<p style='background: URL( \"https://evil.test/a.png\" )'>",
  '<p style="background: u\\72l(https://evil.test/)">',
  '<p style="background: url(\\68ttps://evil.test/)">',
  "<style>@import 'https://evil.test/a.css';</style>",
  '<style>p { background: image-set("https://evil.test/a.png" 1x) }</style>',
])("%j fetches from evil.test", (text) => {
  expect(hosts(text)).toContain("evil.test");
});

it.each([
  "a cat, high quality",
  "read https://good.test/guide",
  "<https://good.test/guide>",
  "[the guide](https://good.test/guide)",
  '[the guide](https://good.test/guide "a title"), [another](//good.test)',
  "[the guide][1]\n\n[1]: https://good.test/guide",
  '<a href="https://good.test/guide">the guide</a>',
  "![a cat](data:image/png;base64,AAAA)",
  "![a cat](/api/view?filename=cat.png&type=input)",
  '<img src="/extensions/a-pack/help.png">',
  "<lora:name:0.8> (masterpiece:1.2) [a:b:0.5]",
  "if a < b and src = https://good.test/",
  "what a cat! [the guide](https://good.test/guide)",
])("%j fetches nothing", (text) => {
  expect(hosts(text)).toEqual([]);
});

it("counts a link as well where a picture stands beside it", () => {
  expect(hosts("![a cat](/view?filename=cat.png) and [the guide](https://good.test/guide)")).toEqual([
    "good.test",
  ]);
});

it("counts what ComfyUI itself would be asked to do, and not what it shows, also where it lies in a folder", () => {
  const addresses = (text: string, page: string) => fetchedAddresses(text, page).map(({ href }) => href);
  expect(addresses("![](/manager/reboot)", "http://here:8188/")).toEqual(["http://here:8188/manager/reboot"]);
  expect(addresses("![](/view/../manager/reboot)", "http://here:8188/")).toEqual([
    "http://here:8188/manager/reboot",
  ]);
  expect(addresses("![](/comfy/view?filename=a.png)", "http://here/comfy/")).toEqual([]);
  expect(addresses("![](view?filename=a.png)", "http://here/comfy/")).toEqual([]);
  expect(addresses("![](http://here:9999/a.png)", "http://here:8188/")).toEqual(["http://here:9999/a.png"]);
});

it("takes long texts in time that grows with their length", () => {
  const read = (text: string) => (size: number) => fetchedAddresses(text.repeat(size), "http://here/");
  for (const text of ["![", "](", "<img src=", "&#104;", "\\", "url(", "![a](b", '"'])
    expect([text, growsInProportion(read(text), 2_000)]).toEqual([text, true]);
});

it("takes long texts that are joined in time that grows with their length", () => {
  const joined = (size: number) => fetchedWhenJoined(["![](", "a".repeat(size)], "http://here/");
  expect(growsInProportion(joined, 4_000)).toBe(true);
});

it("counts a picture of which the beginning stands in one text and the address in another", () => {
  const joined = (...texts: string[]) => fetchedWhenJoined(texts, "http://here/").map(({ host }) => host);
  expect(joined("![](", "https://evil.test/?d=SECRET", ")")).toContain("evil.test");
  expect(joined("https://evil.test/a)", "and", "![](")).toContain("evil.test");
  expect(joined('<img src="', "//evil.test/")).toContain("evil.test");
  expect(joined("a cat", "https://good.test/")).toEqual([]);
});
