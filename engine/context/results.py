"""Tool results as the model reads them: whole, capped to their room, or digests of one line."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..base.extension_metadata import CallMetadata, FlatCall
from ..base.messages import Part, dump
from ..base.text.clip import clip
from .shorten import Marker, short_value, shorten_result
from .tokens import count_text
from .tool_facts import ToolFacts

_USUAL, _MOST = 1 / 3, 0.7
_LEAST = 300
_LONGEST_ARGUMENTS = 20_000
_FOLDED_ARGUMENTS = 2_000
_LONGEST_SUMMARY = 600
_ERROR_LENGTH = 300
_OF_OTHER_TOOLS = ("otherTabs", "revision")
"""Fields of workflow readings that no flat tool can use."""

NOT_RUN = {
    "ok": False,
    "error": "Not run: the person stopped the assistant, or the tab was closed, before it ended.",
}


@dataclass(frozen=True)
class ResultBudget:
    """The room of a result in tokens, by the estimate without a vocabulary that the panel uses, too.

    A tool fits its result to it by whole entries; a longer result is cut before it is sent.
    """

    tokens: int = 8_000

    def holds(self, value: Any) -> bool:
        """Return whether a text fits, or the JSON of any other value."""
        return count_text(value if isinstance(value, str) else dump(value)) <= self.tokens

    def characters(self, text: str) -> int:
        """Return how many characters of this text fit, by its average tokens."""
        tokens = count_text(text)
        return len(text) if tokens <= self.tokens else len(text) * self.tokens // tokens


def share_budget(free: int, tools: Sequence[ToolFacts]) -> list[ResultBudget]:
    """Share the free tokens among a step's results: a third each, or what a tool asks for, at most 70 % together."""
    wishes = [_MOST if facts.share == "most" else _USUAL for facts in tools]
    together = min(1.0, _MOST / sum(wishes)) if wishes else 1.0
    return [ResultBudget(max(_LEAST, int(free * wish * together))) for wish in wishes]


def stored_budget(part: Part) -> ResultBudget | None:
    """Return the room stored with a call, so that its result reads the same in later requests; None if it has none."""
    room = CallMetadata.of(part).room
    return None if room is None else ResultBudget(room)


def result_text(part: Part) -> str:
    """Return the whole result of a tool part; an unanswered call has one that says so."""
    value = _result(part)
    return value if isinstance(value, str) and value else dump(value)


def _result(part: Part) -> Any:
    state = part.get("state")
    if state == "output-available":
        return _without_program_fields(_without_image_data(part.get("output")))
    if state == "output-error":
        return {"ok": False, "error": part.get("errorText") or "The tool failed without saying why."}
    if state == "output-denied":
        return {"ok": False, "error": "The person refused this call."}
    return NOT_RUN


def new_result(part: Part, ref: str, *, cap: int, can_read_back: bool) -> str:
    """Return a new result in the room of its call, but in no less than `cap` characters."""
    room = stored_budget(part)
    if room is None:
        return cap_result(part, ref, cap=cap, can_read_back=can_read_back)
    limit = max(cap, room.characters(result_text(part)))
    return cap_result(part, ref, cap=limit, can_read_back=can_read_back)


def cap_result(part: Part, ref: str, *, cap: int, can_read_back: bool) -> str:
    """Return at most `cap` characters of the result, by whole entries."""
    text = result_text(part)
    if len(text) <= cap:
        return text
    longest_words = len(f" and offset {len(text)}")
    short = shorten_result(_result(part), cap - longest_words, _marker(ref, can_read_back))
    return _with_offset(short, text, ref)


def _with_offset(short: str, text: str, ref: str) -> str:
    """Add the offset of the first gap in the whole text, so that one call can read on from there."""
    pairs = enumerate(zip(short, text, strict=False))
    begin = next((at for at, (shown, whole) in pairs if shown != whole), 0)
    how = re.compile(rf'(with ref \\*"{ref}\\*") reads them')
    return short[:begin] + how.sub(rf"\1 and offset {begin} reads them", short[begin:], count=1)


def _marker(ref: str, can_read_back: bool) -> Marker:
    how = f'; readToolResult with ref "{ref}" reads them' if can_read_back else ""
    return lambda what: f"… [{ref}: {what} left out{how}]"


def in_model_terms(part: Part) -> Part:
    """Return the part of a flat call as the model made it.

    A corrected call in its result is one of the flat tool, and fields that only other tools use are left out.
    """
    output, asked = part.get("output"), CallMetadata.of(part).asked
    if asked is None or not isinstance(output, dict):
        return part
    told = _without(output, ("sendInstead",))
    if isinstance(data := told.get("data"), dict):
        told["data"] = _without(data, _OF_OTHER_TOOLS)
    if "sendInstead" in output:
        told.update(_corrected_call(part, output, asked))
    return {**part, "output": told}


def _corrected_call(part: Part, output: dict[str, Any], call: FlatCall) -> dict[str, Any]:
    """Return the corrected call for a flat tool if only its value differs; no other one can be expressed."""
    name, asked = call
    carried_out, corrected = part.get("input"), output.get("sendInstead")
    if not (name == "setValue" and isinstance(asked, dict) and isinstance(carried_out, dict)):
        return {}
    if not isinstance(corrected, dict) or {**carried_out, "value": None} != {**corrected, "value": None}:
        return {}
    return {"sendInstead": {**asked, "value": corrected["value"]}}


def digest_result(part: Part, ref: str) -> str:
    """Return the digest: the tool's own summary of its result, and the handle of the whole."""
    text = result_text(part)
    pictures = [{"caption": name, "about": about} for name, about in described_pictures(part)]
    digest = dump({**_digest(part), **({"pictures": pictures} if pictures else {}), "ref": ref})
    return digest if len(digest) < len(text) else text


def images(part: Part) -> list[tuple[str, str]]:
    """Return the pictures of a result for the model, each as a data URL with its caption.

    They stand in `data.images` of a tool's result as `{"url": "data:image/…", "caption"}`. A tool message is text in
    the OpenAI protocol, so they are sent in a user message right after the results.
    """
    return [
        (image["url"], str(image.get("caption") or "image"))
        for image in _pictures(part.get("output"))
        if str(image.get("url", "")).startswith("data:image/")
    ]


def described_pictures(part: Part) -> list[tuple[str, str]]:
    """Return the captions of a result's pictures with their descriptions (`chat.incoming.incoming_messages`)."""
    return [
        (str(image.get("caption") or "image"), image["about"])
        for image in _pictures(part.get("output"))
        if isinstance(image.get("about"), str)
    ]


def _pictures(output: Any) -> list[dict[str, Any]]:
    data = output.get("data") if isinstance(output, dict) else None
    entries = data.get("images") if isinstance(data, dict) else None
    return [image for image in entries if isinstance(image, dict)] if isinstance(entries, list) else []


def _without_image_data(output: Any) -> Any:
    pictures = _pictures(output)
    if not any(str(image.get("url", "")).startswith("data:") for image in pictures):
        return output
    return {**output, "data": {**output["data"], "images": [{**image, "url": "below"} for image in pictures]}}


def _without_program_fields(output: Any) -> Any:
    """Return a result without the fields that only programs need.

    Those are the code of a failure, the fields that the summary covers (`told`), and `influenced` of older chats. Of
    the untrusted places it keeps those that no earlier result has named.
    """
    if not isinstance(output, dict):
        return output
    if (news := output.get("newOutside")) is not None:
        output = {**_without(output, ("newOutside", "outside")), **({"outside": news} if news else {})}
    if output.get("ok") is False:
        return _without(output, ("influenced", "code"))
    kept = _without(output, ("influenced", "told"))
    told, data = output.get("told"), output.get("data")
    if isinstance(told, list) and isinstance(data, dict):
        ways = [[each] if isinstance(each, str) else each for each in told]
        kept["data"] = _without_ways(data, [way for way in ways if isinstance(way, list) and way])
    return kept


def _without_ways(value: Any, ways: Sequence[list[Any]]) -> Any:
    """Return a value without the fields at these paths of keys and list places, and without what becomes empty."""
    kept: dict[Any, Any] = {}
    for name, each in enumerate(value) if isinstance(value, list) else value.items():
        own = [way[1:] for way in ways if str(way[0]) == str(name)]
        if own and isinstance(each, dict | list):
            each = _without_ways(each, [way for way in own if way])
        if not own or ([] not in own and each):
            kept[name] = each
    return list(kept.values()) if isinstance(value, list) else kept


def _without(fields: dict[str, Any], names: Sequence[Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in names}


def one_line(part: Part) -> str:
    """Return the digest as a sentence."""
    digest = _digest(part)
    return " ".join(str(digest.get("summary") or digest.get("error") or "").split())


def has_succeeded(part: Part) -> bool:
    return part.get("state") == "output-available" and not _has_failed(part)


def arguments_text(part: Part, *, is_digest: bool) -> str:
    """Return the arguments of a call as JSON; huge ones are cut inside their values, so that it stays JSON."""
    value = part.get("input")
    if not isinstance(value, dict):
        raw = part.get("rawInput", value)
        read = _parse(raw) if isinstance(raw, str) else raw
        value = read if isinstance(read, dict) else {} if raw in (None, "") else {"invalidArguments": raw}
    text = dump(value)
    limit = _FOLDED_ARGUMENTS if is_digest else _LONGEST_ARGUMENTS
    if len(text) <= limit:
        return text
    for text_limit, list_limit in ((limit // 8, 40), (160, 8), (60, 3)):
        shorter = dump(short_value(value, text_limit=text_limit, list_limit=list_limit))
        if len(shorter) <= limit:
            return shorter
    return dump({"leftOut": f"{len(text):,} characters of arguments"})


def _has_failed(part: Part) -> bool:
    output = part.get("output")
    return part.get("state") != "output-available" or (isinstance(output, dict) and output.get("ok") is False)


def _digest(part: Part) -> dict[str, Any]:
    """Return the tool's own summary, else the first words of the result."""
    output = part.get("output") if part.get("state") == "output-available" else None
    result = (
        output
        if isinstance(output, dict)
        else _parse(output if isinstance(output, str) else result_text(part))
    )
    if isinstance(result, dict) and result.get("ok") is False:
        return {"ok": False, "error": clip(str(result.get("error", "")), _ERROR_LENGTH)}
    if isinstance(result, dict) and isinstance(result.get("summary"), str):
        return {"ok": True, "summary": clip(result["summary"], _LONGEST_SUMMARY)}
    return {"summary": clip(result_text(part), 120)}


def _parse(text: str) -> Any:
    try:
        return json.loads(text) if len(text) < 20_000 else None
    except (ValueError, RecursionError):
        return None
