"""Server tools: their definition, the services that they may use, and the run of a call."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from ..base.messages import dump
from ..base.text.portable_text import portable
from ..base.tool_result import (
    ToolFailure,
    ToolResult,
    ToolSuccess,
    failure,
    mark_trusted,
    success,
)
from ..base.validation import problems
from ..comfy.scan import ScanUnfinished
from ..context.results import ResultBudget
from ..context.tokens import count_text
from ..context.tool_facts import Effect, Share, ToolFacts
from .parameters import minimal_parameters
from .slim_form import SlimForm
from .thread_access import NoThread, ThreadAccess

if TYPE_CHECKING:
    from ..comfy.node_definition import NodeDefinition
    from ..comfy.registry.node_registry import RegisteredPackage
    from ..comfy.snapshot import Environment
    from ..comfy.templates import TemplateLibrary
    from ..user.skills.library import SkillLibrary

__all__ = [
    "EnvironmentSource",
    "ServerTool",
    "SkillSource",
    "ToolFailure",
    "ToolResult",
    "ToolServices",
    "ToolSuccess",
    "failure",
    "mark_trusted",
    "run_server_tool",
    "success",
]

logger = logging.getLogger(__name__)

Input = TypeVar("Input", bound=BaseModel)


class EnvironmentSource(Protocol):
    """The running ComfyUI's node types, models and packages."""

    async def snapshot(self) -> Environment:
        """Return the current environment, scanned first where there is none yet or it has changed."""
        ...

    async def rescan(self) -> tuple[Environment | None, Environment]:
        """Return the last known environment, if any, and a newly scanned one."""
        ...

    def model_size(self, folder: str, file: str) -> int | None:
        """Return the size of an installed file in bytes; None where it is unknown. Blocks."""
        ...

    def set_page_types(self, definitions: tuple[NodeDefinition, ...]) -> None:
        """Take over the node types that a page posted; the next snapshot has them."""
        ...


class TemplateSource(Protocol):
    """The installed workflow templates. Blocks: for worker threads."""

    def library(self) -> TemplateLibrary: ...


class RegistrySource(Protocol):
    """The public registry of node packages.

    Raises:
        RegistryUnavailable: by every method.
    """

    async def search(self, query: str, *, limit: int) -> list[RegisteredPackage]: ...


class SkillSource(Protocol):
    """A set of skills: those of the system, or those of the user."""

    async def library(self) -> SkillLibrary: ...


@dataclass(frozen=True)
class ToolServices:
    """The services for server tools, wired by the composition root. `room` is the budget of the call's result.

    With `is_slim`, the model gets the slim forms and is told of no other arguments.
    """

    environment: EnvironmentSource
    system_skills: SkillSource
    user_skills: SkillSource
    templates: TemplateSource
    registry: RegistrySource
    thread: ThreadAccess = field(default_factory=NoThread)
    room: ResultBudget = field(default_factory=ResultBudget)
    is_slim: bool = False


@dataclass(frozen=True)
class ServerTool(Generic[Input]):
    """A tool that runs in Python. The model reads `description` and the fields of `input`.

    The user reads `label`: "List models {query|folder}" quotes the first of these arguments that the call has. Small
    models get the tool where it has a `slim` form.
    """

    name: str
    description: str
    input: type[Input]
    run: Callable[[Input, ToolServices], Awaitable[ToolResult]]
    label: str
    effect: Effect = "reads"
    share: Share = "usual"
    slim: SlimForm | None = None
    untrusted: str | None = None
    """The source of others' words in a result, if any: before later runs the user is asked, and the question names it.

    A result can be exempted by `mark_trusted`.
    """

    @property
    def facts(self) -> ToolFacts:
        return ToolFacts(self.effect, self.share)

    def schema(self) -> dict[str, Any]:
        """Return the parameters as minimal draft-7 JSON Schema, always the same bytes."""
        return minimal_parameters(self.input)


async def run_server_tool(
    tool: ServerTool[Any], arguments: dict[str, Any], services: ToolServices
) -> ToolResult:
    """Validate the arguments and run the tool. Never raises, except for cancellation.

    Null arguments count as left out: models write null for "default". Unknown arguments are reported with the result.
    A result may hold file names that are not UTF-8; it is made portable.
    """
    if not isinstance(arguments, dict):
        return failure(f"{tool.name} got arguments that are no JSON object.", _expected_arguments(tool))
    values = {name: value for name, value in arguments.items() if value is not None}
    try:
        tool_input = tool.input.model_validate(values)
    except ValidationError as error:
        wrong = ". ".join(problems(tool.input, error)[:3])
        refused = failure(f"{tool.name}: {wrong}.", _expected_arguments(tool))
        if instead := _renamed(tool, values, error):
            refused["sendInstead"] = instead
        return refused
    label = [tool.untrusted] if tool.untrusted else []
    unused = _unused(tool, values)
    told = {**({"outside": label} if label else {}), **({"notUsed": unused} if unused else {})}
    room = ResultBudget(services.room.tokens - count_text(dump(told))) if told else services.room
    try:
        result: ToolResult = portable(await tool.run(tool_input, replace(services, room=room)))
    except asyncio.CancelledError:
        raise
    except ScanUnfinished as unfinished:
        return failure(str(unfinished), unfinished.hint)
    except Exception as error:
        logger.exception("tool %s failed", tool.name)
        return failure(
            f"{tool.name} failed inside ComfyUI Assistant ({type(error).__name__}).",
            "Go on without it, or try once more; the ComfyUI log has the details.",
        )
    ignored = f"{tool.name} has no {', '.join(unused)}: that was ignored." if unused else ""
    if result["ok"] is not True:
        if ignored:
            result["hint"] = " ".join(filter(None, (result.get("hint"), ignored)))
        return result
    if ignored:
        result["summary"] += f" {ignored}"
        result["data"]["notUsed"] = unused
    if label:
        result.setdefault("outside", label)
    if not result.get("outside"):
        result.pop("outside", None)
    return result


def _unused(tool: ServerTool[Any], values: dict[str, Any]) -> list[str]:
    """Return the unknown arguments that are not empty: the model would believe that they took effect."""
    known = {field.alias or name for name, field in tool.input.model_fields.items()}
    return [name for name, value in values.items() if name not in known and value not in ("", [], {})]


def _renamed(tool: ServerTool[Any], values: dict[str, Any], error: ValidationError) -> dict[str, Any] | None:
    """Return the arguments with the only unknown one renamed to the only missing one; None where that does not fit.

    A list of one, such as of `queries`, may stand for its item.
    """
    missing = [each["loc"] for each in error.errors() if each["type"] == "missing"]
    unused = _unused(tool, values)
    if len(missing) != 1 or len(missing[0]) != 1 or len(unused) != 1:
        return None
    others = {name: value for name, value in values.items() if name != unused[0]}
    given = values[unused[0]]
    for value in (given, *(given if isinstance(given, list) and len(given) == 1 else ())):
        renamed = {**others, str(missing[0][0]): value}
        try:
            tool.input.model_validate(renamed)
        except ValidationError:
            continue
        return renamed
    return None


def _expected_arguments(tool: ServerTool[Any]) -> str:
    schema = tool.schema()
    required = schema.get("required", [])
    names = [name if name in required else f"{name}?" for name in schema.get("properties", {})]
    return f"Expected arguments: {', '.join(names)}." if names else "It takes no arguments: pass {}."
