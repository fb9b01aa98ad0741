"""Settings from the environment and `.env`, read once and passed down."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Literal, TypeVar

from ..base.errors import SettingsError
from ..base.files.regular_file import read_whole_regular_file
from ..base.network.base_url import normal_base_url, without_secrets
from ..base.secret import Secret, usable_key
from ..base.text.portable_text import decode_text
from ..comfy.downloads.hosts import DownloadHost, read_hosts
from .options import DECLARATIONS, Options
from .setting_values import read_switch, read_whole_number

logger = logging.getLogger(__name__)

Value = TypeVar("Value")
Choice = TypeVar("Choice", bound=str)
Profile = Literal["auto", "slim", "full"]
SystemMessageMode = Literal["auto", "full", "continuation"]
LONGEST_PAUSE = 30
"""The default of `Settings.unread_seconds`, in seconds."""
LONGEST_REPLY = 600
"""The default of `Settings.reply_seconds`, in seconds."""
Origin = Literal["environment", "file", "settings", "discovered", "none"]


@dataclass(frozen=True)
class Settings:
    """The settings of the environment. None or an empty value means that a setting is not set there.

    The `LLM_*` limits are upper limits on top of the token budget; None leaves the limit to the budget.
    """

    base_url: str = ""
    api_key: Secret = Secret("")  # noqa: RUF009 - immutable
    model: str = ""
    provider_source: Origin = "none"
    context_window: int | None = None
    profile: Profile = "auto"
    label: str = ""
    """The panel's name for the model; if empty, the model's own name."""
    notice: str = ""
    """A sentence that the panel shows with the model: what to expect of it."""
    discovery: bool = True
    allowed_hosts: tuple[str, ...] = ()
    access_code: Secret = Secret("")  # noqa: RUF009 - immutable
    """The code that each browser asks for once, if ComfyUI listens for more users than should have access."""
    download_hosts: tuple[DownloadHost, ...] = ()
    """Hosts that model files may come from, beside the built-in ones."""
    download_from_this_machine: bool = False
    """Whether downloads may come from this machine, which only tests need."""
    node_registry: str = ""
    """The address of a registry of node packages in place of the public one."""
    database_url: str = ""
    system_message_mode: SystemMessageMode = "auto"
    system_context_max_chars: int | None = None
    user_context_max_chars: int | None = None
    reply_seconds: int = LONGEST_REPLY
    unread_seconds: int = LONGEST_PAUSE
    """The seconds that an answer goes on while no page reads it."""
    history_max_messages: int | None = None
    tool_result_keep_last_rounds: int | None = None
    options: Options = field(default_factory=Options)
    """The initial options, which `/config` can change."""

    @classmethod
    def from_env(
        cls, environ: Mapping[str, str], env_file: Mapping[str, str | None] | None = None
    ) -> tuple[Settings, list[SettingsError]]:
        """Read the settings; the environment wins over the `.env` file.

        A value that cannot be read is reported and left at its default: a typing error must not take ComfyUI down.
        """
        reader = _Reader(
            environ, {key: value for key, value in (env_file or {}).items() if value is not None}
        )
        settings = cls(
            base_url=reader.read(
                ("COMFYUI_ASSISTANT_BASE_URL", "OPENAI_BASE_URL"),
                "",
                normal_base_url,
                display=without_secrets,
            ),
            api_key=reader.read(
                ("COMFYUI_ASSISTANT_API_KEY", "OPENAI_API_KEY"),
                Secret(""),
                usable_key,
                display=lambda _: "****",
            ),
            model=reader.read(("COMFYUI_ASSISTANT_MODEL", "OPENAI_MODEL"), "", str),
            provider_source=reader.source_of(
                "COMFYUI_ASSISTANT_BASE_URL", "OPENAI_BASE_URL", "OPENAI_API_KEY"
            ),
            context_window=reader.read(
                ("COMFYUI_ASSISTANT_CONTEXT_WINDOW", "LLM_CONTEXT_WINDOW"), None, _whole_number(minimum=2_048)
            ),
            profile=reader.read("COMFYUI_ASSISTANT_PROFILE", "auto", _PROFILE),
            label=reader.read("COMFYUI_ASSISTANT_LABEL", "", str),
            notice=reader.read("COMFYUI_ASSISTANT_NOTICE", "", str),
            discovery=reader.read("COMFYUI_ASSISTANT_DISCOVERY", True, _switch),
            allowed_hosts=reader.read("COMFYUI_ASSISTANT_ALLOWED_HOSTS", (), _list),
            access_code=reader.read("COMFYUI_ASSISTANT_ACCESS_CODE", Secret(""), Secret),
            download_hosts=reader.read("COMFYUI_ASSISTANT_DOWNLOAD_HOSTS", (), read_hosts),
            download_from_this_machine=reader.read(
                "COMFYUI_ASSISTANT_DOWNLOAD_FROM_THIS_MACHINE", False, _switch
            ),
            node_registry=reader.read("COMFYUI_ASSISTANT_NODE_REGISTRY", "", normal_base_url),
            database_url=reader.read("COMFYUI_ASSISTANT_DATABASE_URL", "", str),
            system_message_mode=reader.read("LLM_SYSTEM_MESSAGE_MODE", "auto", _SYSTEM_MESSAGE_MODE),
            system_context_max_chars=reader.read(
                "LLM_SYSTEM_CONTEXT_MAX_CHARS", None, _whole_number(minimum=0)
            ),
            user_context_max_chars=reader.read("LLM_USER_CONTEXT_MAX_CHARS", None, _whole_number(minimum=0)),
            history_max_messages=reader.read("LLM_HISTORY_MAX_MESSAGES", None, _whole_number(minimum=1)),
            tool_result_keep_last_rounds=reader.read(
                "LLM_TOOL_RESULT_KEEP_LAST_ROUNDS", None, _whole_number(minimum=0)
            ),
            reply_seconds=reader.read("LLM_MAX_REPLY_SECONDS", LONGEST_REPLY, _whole_number(minimum=30)),
            unread_seconds=reader.read("LLM_UNREAD_SECONDS", LONGEST_PAUSE, _whole_number(minimum=0)),
            options=Options().merge(
                {
                    name: reader.read(declaration.environment, None, declaration.read)
                    for name, declaration in DECLARATIONS.items()
                }
            ),
        )
        declared = {declaration.environment for declaration in DECLARATIONS.values()}
        reader.report_unknown("LLM_BUDGET_", declared)
        if settings.api_key and not settings.base_url:
            settings = replace(settings, base_url="https://api.openai.com/v1")
        return settings, reader.problems


class _Reader:
    def __init__(self, environ: Mapping[str, str], env_file: Mapping[str, str]) -> None:
        self._layers: tuple[tuple[Origin, Mapping[str, str]], ...] = (
            ("environment", environ),
            ("file", env_file),
        )
        self.problems: list[SettingsError] = []

    def source_of(self, *names: str) -> Origin:
        for source, layer in self._layers:
            if any(layer.get(name) for name in names):
                return source
        return "none"

    def read(
        self,
        names: str | tuple[str, ...],
        default: Value,
        parse: Callable[[str], Value],
        *,
        display: Callable[[str], str] = str,
    ) -> Value:
        """Return the first value that is set. `display` formats an unreadable one for the report."""
        for _, layer in self._layers:
            for name in (names,) if isinstance(names, str) else names:
                if text := (layer.get(name) or "").strip():
                    return self._parse(name, text, default, parse, display)
        return default

    def report_unknown(self, prefix: str, known: Collection[str]) -> None:
        """Report names with a prefix that no setting has."""
        names = sorted({name for _, layer in self._layers for name in layer if name.startswith(prefix)})
        there_are = ", ".join(name for name in sorted(known) if name.startswith(prefix))
        self.problems += [
            SettingsError(
                "invalid_request",
                f"{name} is not read: there is no such setting.",
                hint=f"There are: {there_are}.",
            )
            for name in names
            if name not in known
        ]

    def _parse(
        self,
        name: str,
        text: str,
        default: Value,
        parse: Callable[[str], Value],
        display: Callable[[str], str],
    ) -> Value:
        try:
            return parse(text)
        except ValueError as error:
            self.problems.append(
                SettingsError(
                    "invalid_request",
                    f'{name} is "{display(text)[:60]}"; expected {error}.',
                    hint=f"Correct {name} and restart ComfyUI. Until then the default is used.",
                )
            )
            return default


def _whole_number(*, minimum: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        number = read_whole_number(text)
        if number is None or number < minimum:
            raise ValueError(f"a whole number of at least {minimum}, for example {max(minimum, 24)}")
        return number

    return parse


def _choice_parser(*choices: Choice) -> Callable[[str], Choice]:
    def parse(text: str) -> Choice:
        for choice in choices:
            if text.lower() == choice:
                return choice
        raise ValueError("one of " + ", ".join(choices))

    return parse


def _switch(text: str) -> bool:
    switch = read_switch(text)
    if switch is None:
        raise ValueError("on or off")
    return switch


def _list(text: str) -> tuple[str, ...]:
    return tuple(item.strip().lower() for item in text.split(",") if item.strip())


_PROFILE: Callable[[str], Profile] = _choice_parser("auto", "slim", "full")
_SYSTEM_MESSAGE_MODE: Callable[[str], SystemMessageMode] = _choice_parser("auto", "full", "continuation")


_MAX_BYTES = 1_000_000


def read_env_file(path: Path) -> Mapping[str, str | None]:
    """Return the variables of a `.env` file; an unreadable one is logged and has none."""
    try:
        text = decode_text(read_whole_regular_file(path, _MAX_BYTES))
    except FileNotFoundError:
        return {}
    except OSError as error:
        logger.warning("%s is not read: %s.", path, error.strerror or error)
        return {}
    try:
        from dotenv import dotenv_values
    except ImportError:
        logger.warning("%s is not read: the package python-dotenv is not installed.", path)
        return {}
    return dotenv_values(stream=StringIO(text))
