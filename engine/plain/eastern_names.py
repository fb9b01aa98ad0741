"""Chinese and Japanese orders that set numbers, in the words that the rest reads: theirs have no blanks between."""

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
)
_AROUND = re.compile(
    r"[把将將请請用是的]|帮我|幫我|[设設](?:[置定])?[为為成到]|[改调調变變换換][为為成到]|等于|等於|"
    r"に(?:(?:設定|変更)?して|変えて|してほしい)?(?:ください|下さい)?|[をはがで]|(?:して|ください|下さい|お願いします)"
)
_EASTERN = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_COMMAS = re.compile(r"[，、。；！]|和|并且?|以及|然后|と")


def with_western_names(request: str) -> str:
    """The request itself where it says anything else: what a picture is to show is left as it is written."""
    if not _EASTERN.search(request) or not re.search(r"\d", request):
        return request
    text = unicodedata.normalize("NFKC", _COMMAS.sub(", ", request))
    for pattern, name in _NAMES:
        text = re.sub(pattern, name, text)
    text = " ".join(_AROUND.sub(" ", text).split())
    return request if _EASTERN.search(text) else text
