from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from comfyui_assistant.engine.base.validation import NOT_QUOTED, field_forms, field_names, problems
from pydantic import BaseModel, Field, ValidationError


class Size(BaseModel):
    width: int = Field(ge=1, le=4_096)
    height: int | None = None


class Picture(BaseModel):
    file: str = Field(min_length=1, max_length=8, description="where it is")
    kind: Literal["png", "webp"] = "png"
    sizes: list[Size] = Field([], max_length=2)
    opacity: Annotated[float, Field(ge=0)] | None = None
    about: dict[str, Any] | None = None
    token: str | int | None = Field(None, json_schema_extra=NOT_QUOTED)
    label: Any = None


def test_each_place_is_told_once_with_what_was_found_and_what_was_expected() -> None:
    wrong = {"kind": "gif", "sizes": [{"width": 9_999}, {}], "opacity": -1, "token": ["sk-canary-of-a-list"]}
    with pytest.raises(ValidationError) as refused:
        Picture.model_validate(wrong)
    assert problems(Picture, refused.value) == [
        "file is missing; expected a text of 1 to 8 characters",
        'kind is "gif"; expected one of "png", "webp"',
        "sizes[0].width is 9999; expected a whole number from 1 to 4,096",
        "sizes[1].width is missing; expected a whole number from 1 to 4,096",
        "opacity is -1; expected a number of at least 0",
        "token is something else; expected a text or a whole number",
    ]


def test_fields_are_told_with_their_forms() -> None:
    assert field_forms(Picture) == [
        ("file", "a text of 1 to 8 characters", "where it is"),
        ("kind?", 'one of "png", "webp"', ""),
        ("sizes?", "a list of at most 2, each an object {width, height?}", ""),
        ("opacity?", "a number of at least 0", ""),
        ("about?", "an object", ""),
        ("token?", "a text or a whole number", ""),
        ("label?", "", ""),
    ]
    assert field_names(Size) == ["width", "height?"]
