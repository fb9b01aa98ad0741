from __future__ import annotations

import pytest
from comfyui_assistant.engine.context.weights import (
    LEAST_OF_WISH,
    figures_of,
    form_of,
    is_lasting,
    weigh,
    weight_of,
)


@pytest.mark.parametrize(
    "wish",
    [
        "Never change my prompt.",
        "Please no people in the picture.",
        "Keep seed 4711.",
        "Bitte nichts am Gesicht ändern.",
        "Der Rand soll bleiben.",
        "Il faut garder le cadre.",
        "Siempre con el mismo fondo.",
        "Всегда бери тот же фон.",
        "请不要改背景。",
        "背景は必ず青にしてください。",
        "Tallenna kaikki nimellä teal_555.",
        "Kuvatekstinä lukee „Satama yöllä“.",
        "Leveys on 1024x768.",
    ],
)
def test_a_goal_a_rule_a_name_and_a_figure_weigh_in_any_language(wish: str) -> None:
    assert weight_of(wish) >= LEAST_OF_WISH


@pytest.mark.parametrize(
    "told",
    [
        "I looked at it again this morning and it is a bit flat.",
        "Yesterday it took 200 seconds.",
        "Gestern hat es 35 Sekunden gedauert.",
        "昨天花了200秒。",
        "Could you look at what happens there?",
        "A friend likes KSampler.",
        '{"id": 4711, "pos": [120, 300], "size": [210, 58]}',
    ],
)
def test_what_is_only_told_asked_or_pasted_weighs_less(told: str) -> None:
    assert weight_of(told) < LEAST_OF_WISH


def test_a_figure_weighs_more_than_a_word_that_may_be_a_wish() -> None:
    assert weight_of("Älä koske solmuun 4711.") > weight_of("I have read about KSampler but never tried it.")


def test_sentences_end_where_those_of_their_script_do() -> None:
    assert weigh("One. Two!\nthree 4.5 …  Four")[0] == ("One.", "Two!", "three 4.5 …", "Four")
    assert weigh("背景是蓝色。不要动它！好吗？好。")[0] == ("背景是蓝色。", "不要动它！", "好吗？", "好。")


def test_sentences_that_differ_in_figures_and_names_have_one_form() -> None:
    assert form_of("Set node 5 to 0.25.") == form_of("set node 12 to 7.")
    assert form_of("Set node 5.") != form_of("Remove node 5.")


def test_only_long_figures_mean_one_thing() -> None:
    assert figures_of("Seed 4711 in 3 runs at 1024x768.") == {"4711", "1024x768"}


def test_what_is_to_hold_for_good_says_so() -> None:
    assert all(map(is_lasting, ["From now on in teal.", "Immer in Blau.", "以后都用蓝色。"]))
    assert not is_lasting("Make it teal.")
