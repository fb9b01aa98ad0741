from __future__ import annotations

from typing import Any

import pytest

from bench.first_job import is_red_picture


def prompt(color: int, *others: str) -> dict[str, Any]:
    image = {"width": 64, "height": 64, "batch_size": 1, "color": color}
    return {
        "1": {"class_type": "EmptyImage", "inputs": image},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "red"}},
        **{f"other {node_type}": {"class_type": node_type, "inputs": {}} for node_type in others},
    }


@pytest.mark.parametrize(
    ("made", "is_right"),
    [
        pytest.param(prompt(0xFF0000), True, id="red"),
        pytest.param(prompt(0x0000FF), False, id="blue"),
        pytest.param(prompt(0xFF0000, "KSampler"), False, id="beside another workflow"),
        pytest.param(prompt(0xFF0000, "EmptyImage"), False, id="with a second picture"),
        pytest.param({}, False, id="nothing"),
    ],
)
def test_the_first_job_is_judged_by_its_new_nodes(made: dict[str, Any], is_right: bool) -> None:
    assert is_red_picture(made) == is_right
