from __future__ import annotations

import errno

import pytest
from comfyui_assistant.engine.base.errors import StoreError
from comfyui_assistant.engine.base.files.disk_errors import saving


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (errno.ENOSPC, "disk_full", 507),
        (errno.EROFS, "not_saved", 500),
        (errno.EACCES, "not_saved", 500),
    ],
)
def test_a_failure_of_the_disk_is_told_with_what_to_do(error: int, code: str, status: int) -> None:
    with pytest.raises(StoreError) as told, saving("The skill"):
        raise OSError(error, "said by the system")
    assert (told.value.code, told.value.status) == (code, status)
    assert told.value.hint
