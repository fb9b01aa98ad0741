from __future__ import annotations

import re
import time
import tracemalloc

import pytest
from comfyui_assistant.engine.context.key_sentences import (
    LEAST_OF_WISH,
    is_lasting,
    key_passages,
    key_sentences,
    sentence_figures,
    sentence_form,
    sentence_weight,
    weigh,
)
from comfyui_assistant.engine.context.shorten import head_and_tail

WISH = "As I said, I want the greenhouse in teal, variant 473, and no text in the picture."
TALK = "The harbour was nice, and we sat there for a while until it got dark. "
MARKER = "\n… [u3: {missing} characters left out] …\n"


def test_a_short_text_stays_whole():
    assert key_sentences("One thing. Another thing.", 100) == "One thing. Another thing."


def test_what_somebody_wants_is_kept_before_what_they_tell():
    said = f"OK, my card has 24 GB, and the fans were loud all the time. Could you look at it? {WISH} That is all."
    for limit in (60, 90, 120):
        assert WISH in key_sentences(said, limit)


def test_gaps_are_marked_and_the_order_is_kept():
    said = f"The weather is fine today, I think. {WISH} Well then. Never go above 38 steps. So it goes."
    assert key_sentences(said, 120) == f"… {WISH} … Never go above 38 steps. …"


def test_the_words_of_a_focus_weigh_most():
    said = f"{WISH} The harbour was nice. That is all for now, and nothing else matters in the least."
    assert key_sentences(said, 40, "harbour") == "… The harbour was nice. …"


def test_a_single_sentence_without_end_is_cut():
    cut = key_sentences("word " * 100, 50)
    assert len(cut) <= 50
    assert cut.endswith("…")


@pytest.mark.slow
def test_of_a_very_long_text_the_beginning_and_the_end_are_looked_at_and_nothing_more_is_kept():
    said = f"{WISH} " + "So it goes. " * 500_000 + "Never go above 38 steps."
    weigh.cache_clear()
    began = time.thread_time()
    assert key_sentences(said, 120) == f"{WISH} … Never go above 38 steps."
    assert time.thread_time() - began < _seconds_of_reading(said)
    weigh.cache_clear()
    tracemalloc.start()
    key_sentences(said, 120)
    assert tracemalloc.get_traced_memory()[0] < 1_000_000
    tracemalloc.stop()


def test_of_a_long_message_the_wishes_in_its_middle_stay_with_its_beginning_and_its_end():
    said = f"Paint this. {TALK * 200}Keep seed 4711. {TALK * 200}背景は必ず青に。{TALK * 200}That is all."
    cut = key_passages(said, 2_000, MARKER)
    assert len(cut) < 2_100
    assert cut.startswith("Paint this. The harbour")
    assert "… [u3: 4" in cut
    assert "] …\nKeep seed 4711. … 背景は必ず青に。\n…\n" in cut
    assert cut.endswith("That is all.")


def test_in_a_long_message_the_weightiest_wishes_stay_where_they_are_many():
    said = TALK * 100 + "Use teal. " * 400 + "Never go above 385 steps. " + "Use teal. " * 400 + TALK * 100
    cut = key_passages(said, 1_000, MARKER)
    assert len(cut) < 1_100
    assert "Never go above 385 steps." in cut


def test_a_long_message_without_any_wish_keeps_its_beginning_and_its_end():
    assert key_passages(TALK * 100, 1_000, MARKER) == head_and_tail(TALK * 100, 1_000, MARKER)
    assert key_passages(TALK, 1_000, MARKER) == TALK


def test_a_message_of_megabytes_is_cut_at_once():
    said = f"Paint this. {TALK * 60_000}Done."
    began = time.thread_time()
    assert len(key_passages(said, 2_000, MARKER)) < 2_100
    assert time.thread_time() - began < 6 * _seconds_of_reading(said)


def _seconds_of_reading(text: str) -> float:
    """Of all its words, once."""
    began = time.thread_time()
    assert re.findall(r"\w+", text)
    return time.thread_time() - began


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
    assert sentence_weight(wish) >= LEAST_OF_WISH


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
    assert sentence_weight(told) < LEAST_OF_WISH


def test_a_figure_weighs_more_than_a_word_that_may_be_a_wish() -> None:
    assert sentence_weight("Älä koske solmuun 4711.") > sentence_weight(
        "I have read about KSampler but never tried it."
    )


def test_sentences_end_where_those_of_their_script_do() -> None:
    assert weigh("One. Two!\nthree 4.5 …  Four")[0] == ("One.", "Two!", "three 4.5 …", "Four")
    assert weigh("背景是蓝色。不要动它！好吗？好。")[0] == ("背景是蓝色。", "不要动它！", "好吗？", "好。")


def test_sentences_that_differ_in_figures_and_names_have_one_form() -> None:
    assert sentence_form("Set node 5 to 0.25.") == sentence_form("set node 12 to 7.")
    assert sentence_form("Set node 5.") != sentence_form("Remove node 5.")


def test_only_long_figures_mean_one_thing() -> None:
    assert sentence_figures("Seed 4711 in 3 runs at 1024x768.") == {"4711", "1024x768"}


def test_what_is_to_hold_for_good_says_so() -> None:
    assert all(map(is_lasting, ["From now on in teal.", "Immer in Blau.", "以后都用蓝色。"]))
    assert not is_lasting("Make it teal.")
