from __future__ import annotations

from typing import Annotated, Any, Literal

import pydantic
import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.base.request_body import Body, ListOf
from comfyui_assistant.engine.base.validation import NOT_QUOTED
from pydantic import AfterValidator, Field, ValidationError, model_validator
from typing_extensions import Self


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
