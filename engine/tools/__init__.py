"""The server tools, in the order in which a model sees them."""

from __future__ import annotations

from typing import Any

from .get_available_models import get_available_models
from .get_node_info import get_node_info
from .get_system_skill import get_system_skill
from .get_user_skill import get_user_skill
from .list_system_skills import list_system_skills
from .list_user_skills import list_user_skills
from .search_installed_nodes import search_installed_nodes
from .tool import ServerTool

SERVER_TOOLS: tuple[ServerTool[Any], ...] = (
    search_installed_nodes,
    get_node_info,
    get_available_models,
    list_system_skills,
    get_system_skill,
    list_user_skills,
    get_user_skill,
)
