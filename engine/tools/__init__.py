"""The server tools, in the order of the tool list that a model gets."""

from __future__ import annotations

from typing import Any

from .delegate import delegate
from .get_available_models import get_available_models
from .get_node_info import get_node_info
from .get_template import get_template
from .read_documentation import read_documentation
from .read_tool_result import read_tool_result
from .refresh_environment import refresh_environment
from .search_history import search_history
from .search_installed_nodes import search_installed_nodes
from .search_node_registry import search_node_registry
from .search_templates import search_templates
from .skills import (
    get_system_skill,
    get_user_skill,
    list_system_skills,
    list_user_skills,
)
from .tool import ServerTool

SERVER_TOOLS: tuple[ServerTool[Any], ...] = (
    search_installed_nodes,
    get_node_info,
    get_available_models,
    read_documentation,
    search_templates,
    get_template,
    search_node_registry,
    refresh_environment,
    list_system_skills,
    get_system_skill,
    list_user_skills,
    get_user_skill,
    read_tool_result,
    search_history,
    delegate,
)
