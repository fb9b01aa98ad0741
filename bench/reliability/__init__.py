"""Faults by the hundred: what is lost, what is answered wrongly, and how the event loop bears many chats."""

from __future__ import annotations

import tests.conftest  # noqa: F401 - loads the repository as `comfyui_assistant`, as ComfyUI does
