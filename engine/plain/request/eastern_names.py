"""Chinese and Japanese orders that set numbers or a prompt, in the words that the rest reads: theirs have no blanks."""

from __future__ import annotations

import re
import unicodedata

_NAMES = (
    (r"(\d+)\s*(?:步|ステップ)", r"\1 steps "),
    (r"(?:采样|採樣)?步[数數]|迭代次[数數]|ステップ数?", " steps "),
    (r"(?:随机|隨機)?(?:种子|種子)|シード値?", " seed "),
    (r"[宽寬]度?|横幅|幅", " width "),
    (r"高度|高さ|高(?=\d)", " height "),
    (r"降噪(?:强度|幅度)?|重[绘繪]幅度|ノイズ除去", " denoise "),
    (r"引导(?:系数|强度)?|引導(?:係數|強度)?", " cfg "),
    (r"帧数|幀數|フレーム数", " frames "),
    (r"批次(?:大小)?|批量|バッチサイズ", " batch size "),
    (r"采样器|採樣器|サンプラー", " sampler "),
    (r"分辨率|解析度|尺寸", " size "),
    (r"[换換](?:一?个|一?個)?(?:新的?)?(?:随机|隨機)?(?:种子|種子)", " another seed "),
    (r"调度器|調度器|スケジューラー?", " scheduler "),
)
_AROUND = re.compile(
    r"[把将將请請用是的]|帮我|幫我|[设設](?:[置定])?[为為成到]|[改调調变變换換][为為成到]|等于|等於|"
    r"に(?:(?:設定|変更)?して|変えて|してほしい)?(?:ください|下さい)?|[をはがで]|(?:して|ください|下さい|お願いします)"
)
_EASTERN = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_PROMPT = re.compile(
    r"^\W*(?:请|請)?(?:帮我|幫我)?(?:[把将將]|更改|修改|替[换換]|更[换換]|[设設]置)?\s*"
    r"(?:(?P<negative>[负負][面向]|反[向面])|正[面向])?的?提示[词詞]\s*"
    r"(?:(?:更?改|更?[换換]|替[换換]|修改|变|變|[设設][置定]?)[为為成]\s*[:：]?|[为為是]?\s*[:：])\s*(?P<text>\S.*?)[\s。！，,]*$",
    re.DOTALL,
)
_NO_PROMPT = re.compile(
    r"^(?:更|另|别的|其他|什么|空|默认|英[文语]|中文|日[文语]|法[文语]|随机)|[?？吗呢]$|[，,。;；]\s*(?:然后|再|并|请|把|运行|执行)"
)
"""Of a text that is not given, or goes on with another order."""
_COMMAS = re.compile(r"[，、。；！]|和|并且?|以及|然后|と")


def with_western_names(request: str) -> str:
    """The request itself where it says anything else: what a picture is to show is left as it is written."""
    is_of_values = re.search(r"\d|[换換].*[种種]子|采样器|採樣器|サンプラー|[调調]度器|スケジューラ", request)
    if not _EASTERN.search(request) or not is_of_values:
        return request
    text = unicodedata.normalize("NFKC", _COMMAS.sub(", ", request))
    for pattern, name in _NAMES:
        text = re.sub(pattern, name, text)
    text = " ".join(_AROUND.sub(" ", text).split())
    return request if _EASTERN.search(text) else text


def with_western_prompt(request: str) -> str:
    """`negative prompt: …` of an order that gives a prompt its text; every other request itself."""
    found = _PROMPT.match(request)
    if found is None or _NO_PROMPT.search(found["text"]) or _speaks_of_values(found["text"]):
        return request
    return f"{'negative ' if found['negative'] else ''}prompt: {found['text']}"


def _speaks_of_values(text: str) -> bool:
    """Behind a comma, as in "，步数30"."""
    return any(re.search(name, part) for part in _COMMAS.split(text)[1:] for name, _ in _NAMES)
