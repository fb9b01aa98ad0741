from __future__ import annotations

from typing import Annotated, Any, Literal

import pydantic
import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.base.request_body import Body, ListOf, PostedMessage
from comfyui_assistant.engine.base.validation import NOT_QUOTED
from pydantic import AfterValidator, Field, ValidationError, model_validator
from typing_extensions import Self

from ..context.conversations import call, user

DYNAMIC: Any = {"type": "dynamic-tool", "toolName": "look-up", "toolCallId": "c2", "state": "input-available"}


class Size(Body):
    width: int = Field(ge=1, le=4_096)
    height: int | None = None


def _is_even(number: int) -> int:
    if number % 2:
        raise ValueError("an even number")
    return number


class Picture(Body):
    file_name: str = Field(min_length=1, max_length=8, description="where it is")
    kind: Literal["png", "webp"] = "png"
    sizes: list[Size] = Field([], max_length=2)
    opacity: Annotated[float, Field(ge=0, le=1)] | None = None
    is_shown: bool = True
    about: dict[str, Any] | None = None
    seed: Annotated[int, AfterValidator(_is_even)] = 0
    token: str | int | None = Field(None, json_schema_extra=NOT_QUOTED)

    @model_validator(mode="after")
    def _is_no_blank(self) -> Self:
        if self.file_name == "blank":
            raise ValueError("another file")
        return self


def test_a_body_is_read_by_the_names_that_are_sent() -> None:
    read = Picture.read(
        {"fileName": "a.png", "sizes": [{"width": 8}], "opacity": 1, "unknown": [], "about": None}
    )
    assert (read.file_name, read.sizes[0].width, read.opacity, read.about) == ("a.png", 8, 1, None)
    assert read.model_fields_set == {"file_name", "sizes", "opacity", "about"}


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"fileName": None}, "fileName is null; expected a text of 1 to 8 characters."),
        ({"fileName": ""}, 'fileName is ""; expected a text of 1 to 8 characters.'),
        ({"fileName": "x" * 1_234}, "fileName is a text of 1,234; expected a text of 1 to 8 characters."),
        ({"kind": "gif"}, 'kind is "gif"; expected one of "png", "webp".'),
        ({"sizes": {}}, "sizes is an object; expected a list of at most 2, each an object {width, height?}."),
        (
            {"sizes": [{"width": 1}, {}]},
            "sizes[1].width is missing; expected a whole number from 1 to 4,096.",
        ),
        (
            {"sizes": [{"width": 1}] * 3},
            "sizes is a list of 3; expected a list of at most 2, each an object {width, height?}.",
        ),
        ({"sizes": [{"width": 1, "height": 1.5}]}, "sizes[0].height is 1.5; expected a whole number."),
        ({"sizes": [{"width": True}]}, "sizes[0].width is true; expected a whole number from 1 to 4,096."),
        ({"opacity": 2}, "opacity is 2; expected a number from 0 to 1."),
        ({"opacity": "1"}, 'opacity is "1"; expected a number from 0 to 1.'),
        ({"isShown": 1}, "isShown is 1; expected true or false."),
        ({"about": []}, "about is an empty list; expected an object."),
        ({"seed": 3}, "seed is 3; expected an even number."),
        ({"token": ["sk-canary-of-a-list"]}, "token is something else; expected a text or a whole number."),
        ({"fileName": "blank"}, "The body is {fileName}; expected another file."),
    ],
)
def test_a_wrong_field_is_told_with_what_was_found_and_what_was_expected(fields: Any, complaint: str) -> None:
    with pytest.raises(RequestError) as refused:
        Picture.read({"fileName": "a.png", **fields})
    assert (refused.value.code, refused.value.status) == ("invalid_request", 400)
    assert refused.value.message == complaint
    assert refused.value.hint.startswith(
        "Send {fileName, kind?, sizes?, opacity?, isShown?, about?, seed?, token?}"
    )


def test_an_error_of_our_own_passes_as_it_is() -> None:
    def refuse(_: str) -> str:
        raise RequestError("too_large", "Too many.", hint="Send less.", status=413)

    class Refusing(Body):
        text: Annotated[str, AfterValidator(refuse)]

    with pytest.raises(RequestError, match="Too many") as refused:
        Refusing.read({"text": "a"})
    assert refused.value.status == 413


@pytest.mark.skipif(not hasattr(pydantic, "FailFast"), reason="pydantic has it from 2.8 on")
def test_a_long_list_is_read_up_to_the_first_wrong_item() -> None:
    class Names(Body):
        names: ListOf[str]

    with pytest.raises(ValidationError) as refused:
        Names.model_validate({"names": ["a", *range(1_000)]})
    assert refused.value.error_count() == 1


def test_of_a_message_only_what_we_know_is_kept() -> None:
    given = [user("u1", "hi", metadata={"reminder": "x"}, createdAt=7), user("u2", "ho", metadata="x")]
    assert [PostedMessage.read(each).message("messages[0]") for each in given] == [
        user("u1", "hi", metadata={"reminder": "x"}),
        user("u2", "ho"),
    ]


@pytest.mark.parametrize(
    ("part", "complaint"),
    [
        ({}, "parts[0] is dict; expected an object with a type."),
        ({"type": "text"}, "parts[0].text is nothing; expected a text."),
        ({"type": "reasoning", "text": 7}, "parts[0].text is int; expected a text."),
        ({"type": "file", "url": "x"}, "parts[0] is dict; expected a file part with url and mediaType."),
        (call("c1") | {"toolCallId": ""}, 'parts[0].toolCallId is ""; expected the id of the call.'),
        (DYNAMIC | {"toolName": None}, "parts[0].toolName is nothing; expected the name of the tool."),
        (call("c1") | {"state": None}, "parts[0].state is nothing; expected the state of the call."),
    ],
)
def test_a_part_of_another_form_is_refused_with_the_place_and_what_was_expected(
    part: Any, complaint: str
) -> None:
    with pytest.raises(RequestError) as refused:
        PostedMessage.read({"id": "u1", "role": "user", "parts": [part]}).message("messages[0]")
    assert (refused.value.code, refused.value.message) == ("invalid_request", f"messages[0].{complaint}")
    assert refused.value.hint
