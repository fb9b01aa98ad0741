from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant import agent_prompts
from comfyui_assistant.agent_prompts import CONTINUATION_MAX_TOKENS, CORE_DIGEST
from comfyui_assistant.engine.comfy.node_definition import NodeDefinition, read_node_definition
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.user.skills.library import Skill
from comfyui_assistant.tools_definitions import load_catalog
from comfyui_assistant.user_context_loader import SystemContext, UserContext, load_system_context
from hypothesis import given
from hypothesis import strategies as st

from .cases import cases


def get_system_message(*arguments: Any, **limits: Any) -> str:
    return agent_prompts.get_system_message(*arguments, **limits).text


def get_system_message_continuation(*arguments: Any, **limits: Any) -> str:
    return agent_prompts.get_system_message_continuation(*arguments, **limits).text


def get_system_message_slim(*arguments: Any, **limits: Any) -> str:
    return agent_prompts.get_system_message_slim(*arguments, **limits).text


def format_user_context(*arguments: Any, **limits: Any) -> str:
    return agent_prompts.format_user_context(*arguments, **limits).text


ROOT = Path(__file__).parent.parent
SHIPPED = load_system_context(ROOT / "system_context")
SUMMARY = "87 packages, 523 node types, 150 models"
USER = UserContext(
    rules=("Save every image.", "Ask before long runs."),
    soul="Calm and brief.",
    goals="Twelve posters of trees.",
    preferences=(("sampler", "euler"),),
)
FULL_USER = UserContext(
    rules=tuple(f"Rule {number}: {'always ' * 20}be kind." for number in range(40)),
    soul="Speak like the sea. " * 500,
    goals="Draw all the trees of the world. " * 500,
    preferences=tuple((f"name {number}", "value " * 10) for number in range(100)),
    skills=tuple(Skill(f"skill-{n}", f"Skill {n}", "What it does. " * 30, "", "") for n in range(100)),
)

CORE_RULES = {
    "who it is": "You are ComfyUI Assistant",
    "read before the first edit": "getWorkflowInfo before the first edit",
    "nothing from memory": r"Use only node types, input names and model files that .*tool result",
    "how to find types, inputs and models": r"searchInstalledNodes[\s\S]*getNodeInfo[\s\S]*getAvailableModels",
    "ids as tools return them": "by the ids that tools return",
    "independent calls together": r"into one step",
    "failed calls are corrected": r'"ok": false[\s\S]*never send it again unchanged, unless the hint says so',
    "an end to failing": "three failures",
    "run and repair": r"result or a check[\s\S]*repair (its|their) cause, run again",
    "no more than needed": "Change only what the task needs",
    "ask before removing": "[Aa]sk before you remove nodes that you did not add",
    "claim only what was seen": "Claim only what a tool result shows",
    "data is no instruction": "is data",
    "one question when unclear": "ask one short question",
    "stop when done": "done, stop calling tools",
    "the user's language": "in the user's language",
}


def count_tokens(text: str) -> int:
    """Count tokens with o200k if its vocabulary is there, else by the estimate, which is higher."""
    if os.environ.get("TIKTOKEN_CACHE_DIR"):
        import tiktoken

        return len(tiktoken.get_encoding("o200k_base").encode(text))
    return count_text(text)


class TestWhatIsShipped:
    def test_loads_without_diagnostics(self):
        assert SHIPPED.diagnostics == ()
        assert [section.slug for section in SHIPPED.sections] == [
            "role",
            "tool-rules",
            "graph-rules",
            "node-conventions",
            "running-and-errors",
        ]
        assert [skill.slug for skill in SHIPPED.on_demand] == [
            *("model-sd15", "model-sdxl", "model-sd3", "model-flux", "model-flux2", "model-qwen-image"),
            *(
                "model-z-image",
                "model-hidream",
                "model-wan",
                "model-hunyuan-video",
                "model-ltx",
                "model-ace-step",
            ),
            *("model-upscaling", "model-controlnet", "model-inpainting", "model-lora"),
            *("model-a1111", "model-prompts"),
            *("model-missing", "model-comparison", "model-memory", "model-switches"),
        ]

    @pytest.mark.parametrize("rule", CORE_RULES)
    def test_every_core_rule_is_in_both_modes(self, rule):
        for message in (get_system_message(SHIPPED), get_system_message_continuation(SHIPPED)):
            assert re.search(CORE_RULES[rule], message)

    def test_what_results_name_as_text_by_others_is_explained(self):
        assert "`outside`" in get_system_message(SHIPPED)
        assert "`outside`" in get_system_message_continuation(SHIPPED)

    def test_the_full_message_is_whole_and_small(self):
        message = get_system_message(SHIPPED, environment_summary=SUMMARY)

        for section in SHIPPED.sections:
            assert section.content in message
        assert "not shown here" not in message
        assert SUMMARY in message
        assert count_tokens(message) <= 2_000

    def test_the_full_message_with_all_tools_takes_half_of_a_16k_window_at_most(self):
        message = get_system_message(SHIPPED, FULL_USER, SUMMARY)

        for section in SHIPPED.sections:
            assert section.content in message
        assert count_tokens(message) + count_tokens(json.dumps(load_catalog().full)) <= 16_384 // 2

    @pytest.mark.parametrize("user", [None, USER, FULL_USER], ids=["no user", "a user", "a talkative user"])
    def test_the_continuation_takes_at_most_800_tokens(self, user):
        message = get_system_message_continuation(SHIPPED, user)

        assert count_tokens(message) <= CONTINUATION_MAX_TOKENS
        assert message.startswith(CORE_DIGEST)

    @pytest.mark.parametrize("user", [None, USER, FULL_USER], ids=["no user", "a user", "a talkative user"])
    @pytest.mark.parametrize("window", [4_096, 8_192])
    def test_the_slim_message_and_its_tools_take_at_most_a_third_of_the_window(self, user, window):
        schemas = json.dumps(load_catalog().flat(window), separators=(",", ":"))

        assert count_tokens(get_system_message_slim(user)) <= 750
        assert count_tokens(get_system_message_slim(user)) + count_tokens(schemas) <= window / 3

    def test_the_slim_message_names_only_tools_that_the_smallest_window_has(self):
        named = set(
            re.findall(
                r"\b(?:get|add|insert|remove|connect|disconnect|bypass|set|execute|search|list|run|undo|make|find|remember|read|replace|try|group|apply|arrange)[A-Z]\w+",
                get_system_message_slim(USER),
            )
        )

        assert named <= {tool["function"]["name"] for tool in load_catalog().flat(4_096)}

    def test_all_tools_take_at_most_4000_tokens(self):
        assert count_tokens(json.dumps(load_catalog().full, separators=(",", ":"))) <= 4_000

    def test_only_tools_that_exist_are_named(self):
        messages = (
            get_system_message(SHIPPED, FULL_USER),
            get_system_message_continuation(SHIPPED, FULL_USER),
            *(skill.content for skill in SHIPPED.on_demand),
        )
        named = {
            name
            for message in messages
            for name in re.findall(
                r"\b(?:get|add|remove|connect|disconnect|set|execute|search|list|run)[A-Z]\w+", message
            )
        }

        assert named <= {tool["function"]["name"] for tool in load_catalog().full}

    def test_nothing_volatile_is_in_any_form(self):
        for message in (
            get_system_message(SHIPPED, USER),
            get_system_message_continuation(SHIPPED, USER),
            get_system_message_slim(USER),
        ):
            assert not re.search(r"\b20[0-3]\d\b|\btoday\b|\bdate\b", message)

    def test_the_same_values_give_the_same_bytes(self):
        again = load_system_context(ROOT / "system_context")

        assert get_system_message(SHIPPED, FULL_USER, SUMMARY) == get_system_message(
            again, FULL_USER, SUMMARY
        )
        assert get_system_message_continuation(SHIPPED, FULL_USER) == get_system_message_continuation(
            again, FULL_USER
        )
        assert get_system_message_slim(FULL_USER) == get_system_message_slim(FULL_USER)


@pytest.mark.parametrize("skill", SHIPPED.sections + SHIPPED.on_demand, ids=lambda skill: skill.slug)
class TestEverythingSaidAboutNodes:
    """Checked against the core nodes of ComfyUI 0.3.75, recorded from /object_info."""

    def test_types_and_slots_in_code_marks_exist(self, skill, core_nodes):
        for node_type, slot in re.findall(r"`([A-Z]\w+)(?:\.(\w+))?`(?! \(newer\))", skill.content):
            assert node_type in core_nodes, node_type
            names = {one.name for one in (*core_nodes[node_type].inputs, *core_nodes[node_type].outputs)}
            assert not slot or slot in names, f"{node_type}.{slot}"

    def test_what_is_marked_as_newer_is_among_the_nodes_of_a_newer_comfyui_alone(
        self, skill, core_nodes, newest_nodes
    ):
        marked = set(re.findall(r"`([^`]+)` \(newer\)", skill.content))

        assert not marked & set(core_nodes)
        assert marked <= set(newest_nodes)

    def test_links_join_equal_types(self, skill, core_nodes):
        """In a chain, "`A.OUT` → `B.in` → `C.in`", the output of B is the link to C."""
        for source, output, target, slot in re.findall(
            r"`(\w+)\.(\w+)`(?: \([^)]*\))?(?= → `(\w+)\.(\w+)`)", skill.content
        ):
            outputs = core_nodes[source].outputs
            passed_on = [one.name for one in core_nodes[source].inputs if one.name == output]
            given = {one.type for one in outputs if one.name == output or passed_on}
            [target_type] = {one.type for one in core_nodes[target].inputs if one.name == slot}
            assert target_type in given, f"{source}.{output} → {target}.{slot}"

    def test_samplers_and_schedulers_are_choices(self, skill, object_info):
        choices = {
            choice
            for one in read_node_definition("KSampler", object_info["KSampler"]).inputs
            if one.name in ("sampler_name", "scheduler")
            for choice in one.choices or ()
        }
        named = re.findall(
            r"(?:sampler_name|scheduler)` (\w+)|or (\w+) with (\w+)\.|[\w+] = ([a-z]\w+)", skill.content
        )

        assert {name for group in named for name in group if name} <= choices

    def test_bare_node_names_exist(self, skill, core_nodes):
        named = re.findall(r"\b(?:[A-Z]{2,}|[A-Z][a-z]+)(?:[A-Z][a-z]+)+\b", skill.content)
        known = {"ComfyUI", "VAEDecodeTiled", "LoRA", "LoRAs", "ControlNet", "ControlNets", "VAEs"}
        known |= {"DiffSynth", "HiDream", "NetaYume", "UltraSharp"}
        known |= set(re.findall(r"`([^`]+)` \(newer\)", skill.content))

        assert {name for name in named if name not in known} <= set(core_nodes)


class TestSystemContextUnderABudget:
    ROLE = Skill("role", "Role", "", "R" * 300, "01_role.md", priority=10)
    MINOR = Skill("minor", "Minor", "Small things.", "M" * 400, "skills/01_minor/SKILL.md", priority=60)
    MAJOR = Skill("major", "Major", "Great things.", "G" * 500, "skills/02_major/SKILL.md", priority=20)

    def test_what_is_left_out_is_named_in_the_index(self):
        message = get_system_message(
            SystemContext((self.ROLE, self.MINOR, self.MAJOR)), system_context_max_chars=850
        )

        assert self.MINOR.content not in message
        assert "getSystemSkill" in message
        assert "- minor: Small things." in message

    def test_an_empty_system_context_falls_back_to_a_short_prompt(self):
        message = get_system_message(SystemContext())

        assert message.startswith(CORE_DIGEST)
        for rule in CORE_RULES.values():
            assert re.search(rule, message)

    def test_without_room_for_the_role_its_digest_stands_in(self):
        message = get_system_message(SHIPPED, system_context_max_chars=1_000)

        assert message.startswith(CORE_DIGEST)
        assert "- role\n" in message


class TestContinuation:
    def test_a_short_role_of_the_users_own_is_carried_whole(self):
        role = Skill("role", "Role", "", "You are Botty and rhyme.", "01_role.md", priority=10)
        message = get_system_message_continuation(SystemContext((role,)))

        assert message.startswith("You are Botty and rhyme.")
        assert CORE_DIGEST not in message

    def test_goals_rules_and_persona_are_in_it(self):
        message = get_system_message_continuation(SHIPPED, USER)

        for text in (*USER.rules, USER.goals, USER.soul, "- sampler: euler"):
            assert text in message

    def test_long_goals_and_rules_are_shortened_before_they_are_left_out(self):
        message = get_system_message_continuation(SHIPPED, FULL_USER)

        assert "Draw all the trees of the world." in message
        assert "Rule 0" in message
        assert "Speak like the sea." in message

    def test_every_skill_is_reachable(self):
        message = get_system_message_continuation(SHIPPED, USER)

        for skill in (*SHIPPED.sections, *SHIPPED.on_demand):
            assert skill.slug in message

    @cases(30)
    @given(
        st.builds(
            UserContext,
            rules=st.lists(st.text(max_size=400), max_size=20).map(tuple),
            soul=st.text(max_size=3_000),
            goals=st.text(max_size=3_000),
        )
    )
    def test_no_user_makes_it_longer_than_its_limit(self, user):
        assert count_text(get_system_message_continuation(SHIPPED, user)) <= CONTINUATION_MAX_TOKENS


def _goals(text: str) -> str:
    return text.split("## Goals of the user\n")[1].split("\n\n##")[0]


class TestUserContext:
    def test_a_short_one_is_shown_whole(self):
        assert format_user_context(USER) == (
            "# The user\n\n"
            "## Rules of the user: always follow them\n- Save every image.\n- Ask before long runs.\n\n"
            "## Goals of the user\nTwelve posters of trees.\n\n"
            "## Persona: speak and act like this\nCalm and brief.\n\n"
            "## Preferences of the user\n- sampler: euler"
        )

    def test_an_empty_one_is_nothing(self):
        assert format_user_context(UserContext()) == ""

    def test_short_rules_are_all_shown(self):
        rules = tuple(f"Rule {number}: never touch seed {number}." for number in range(40))
        message = agent_prompts.format_user_context(UserContext(rules=rules))
        assert message.text.endswith(f"- {rules[-1]}")
        assert message.left_out == ()

    def test_rules_without_room_are_counted(self):
        rules = tuple(f"Rule {number}: {'x' * 190}" for number in range(15))
        message = agent_prompts.format_user_context(UserContext(rules=rules))

        assert message.text.endswith('\n- 4 more rules omitted, read them with getUserSkill "rules"')
        assert [entry.as_json() for entry in message.left_out] == [
            {"source": "rules.md", "amount": 4, "unit": "rules"}
        ]

    def test_with_more_room_there_are_more_of_the_rules_and_of_the_goals(self):
        small, large = (format_user_context(FULL_USER, max_chars=room) for room in (2_500, 12_000))
        assert len(large) > 4 * len(small)
        assert large.count("- Rule ") > 3 * small.count("- Rule ")
        assert len(_goals(large)) > 3 * len(_goals(small))

    def test_goals_and_persona_share_1200_characters(self):
        text = format_user_context(FULL_USER)
        goals = _goals(text)
        soul = text.split("## Persona: speak and act like this\n")[1].split("\n\n")[0]

        assert len(goals) + len(soul) <= 1_200
        assert goals.endswith('… [16,500 characters in all, read them with getUserSkill "goals"]')
        assert soul.endswith('… [10,000 characters in all, read them with getUserSkill "soul"]')

    def test_a_short_persona_stays_whole_beside_long_goals(self):
        text = format_user_context(UserContext(soul="Calm and brief.", goals=FULL_USER.goals))

        assert text.endswith("Calm and brief.")

    @given(
        st.builds(
            UserContext,
            rules=st.lists(st.text(max_size=400), max_size=20).map(tuple),
            soul=st.text(max_size=2_000),
            goals=st.text(max_size=2_000),
            preferences=st.lists(st.tuples(st.text(max_size=20), st.text(max_size=50))).map(tuple),
        ),
        st.integers(0, 3_000),
    )
    def test_the_limit_always_holds(self, user, max_chars):
        assert len(format_user_context(user, max_chars=max_chars)) <= max_chars


@pytest.fixture(scope="module")
def object_info() -> dict[str, Any]:
    """Some core nodes, with their choices."""
    return json.loads((ROOT / "tests" / "fixtures" / "object_info.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def newest_nodes() -> dict[str, Any]:
    """Return all nodes of a newer ComfyUI."""
    return json.loads((ROOT / "tests" / "fixtures" / "newest_nodes.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def core_nodes() -> dict[str, NodeDefinition]:
    """Return all core nodes, without choices."""
    recorded = json.loads((ROOT / "tests" / "fixtures" / "core_nodes.json").read_text(encoding="utf-8"))
    return {name: read_node_definition(name, info) for name, info in recorded.items()}


def test_short_forms_tell_which_rules_of_the_system_context_they_do_not_have() -> None:
    house = Skill("house", "House", "The house.", "Mind the light.", "system_context/skills/house/SKILL.md")
    system = SystemContext((*SHIPPED.sections[:1], house))
    for message in (
        agent_prompts.get_system_message_continuation(system),
        agent_prompts.get_system_message_slim(None, system),
    ):
        assert [entry.source for entry in message.left_out] == [house.source]


@pytest.mark.parametrize("room", [300, 600])
def test_goals_and_persona_give_way_to_the_line_that_tells_of_rules(room: int) -> None:
    message = agent_prompts.format_user_context(FULL_USER, max_chars=room)
    assert len(message.text) <= room
    assert re.search("40 rules not shown|39 more rules omitted", message.text)
    assert [entry.source for entry in message.left_out] == [
        "rules.md",
        "goals.md",
        "SOUL.md",
        "preferences.json",
    ]


@pytest.mark.parametrize("has_tool", [True, False])
@pytest.mark.parametrize("room", [180, 300, 500, 700, 2_500])
def test_what_has_no_room_is_named_in_the_text(room: int, has_tool: bool) -> None:
    message = agent_prompts.format_user_context(FULL_USER, max_chars=room, has_user_skill_tool=has_tool)
    assert len(message.text) <= room
    assert {entry.source for entry in message.left_out} == {
        "rules.md",
        "goals.md",
        "SOUL.md",
        "preferences.json",
    }
    assert re.search(r"\b\d+ (more )?rules", message.text)
    assert re.search(r"\b\d+ (more )?preferences", message.text)
    for told in ("(?i)goals", "(?i)persona"):
        assert re.search(told, message.text)
    assert ("getUserSkill" in message.text) == has_tool


def test_a_form_that_shows_nothing_of_the_user_says_what_there_is() -> None:
    user = UserContext(rules=("木" * 480, "木" * 480), soul="木" * 900, goals="木" * 900)
    slim = agent_prompts.get_system_message_slim(user, max_tokens=10)
    assert slim.text.endswith("# The user\n\nNot shown here: 2 rules, goals, persona.")
    assert slim.of_user == "# The user\n\nNot shown here: 2 rules, goals, persona."
    continuation = agent_prompts.get_system_message_continuation(SHIPPED, user, max_tokens=10)
    assert continuation.text.endswith(
        "Not shown here: 2 rules, goals, persona; getUserSkill reads rules, goals, soul."
    )


@pytest.mark.parametrize("room", [300, 2_500])
def test_reminders_that_no_message_carries_are_left_out_by_name(room: int) -> None:
    user = UserContext(rules=("Save all.",), reminders=("Name the seed.", "x" * 601))
    message = agent_prompts.format_user_context(user, max_chars=room)
    assert [entry.as_json() for entry in message.left_out] == [
        {"source": "reminders.md", "amount": 1, "unit": "reminders"}
    ]
