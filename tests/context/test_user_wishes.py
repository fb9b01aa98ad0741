from __future__ import annotations

from comfyui_assistant.engine.context.user_wishes import UserWishes

TALK = "I looked at it again and it is still a bit flat, which may well be the light in the room. "


def numbered(*texts: str) -> list[tuple[int, str]]:
    return [*enumerate(texts, 1)]


def test_what_fits_stays_as_it_was_said() -> None:
    assert UserWishes(numbered("Paint  a\nfox.", TALK)).lines(400) == [
        "u1: Paint a fox.",
        f"u2: {TALK.strip()}",
    ]


def test_a_clause_of_every_wish_stays_before_anything_else_does() -> None:
    wishes = [f"Keep margin {number} in every run." for number in range(100, 140)]
    asked = UserWishes(
        numbered(*(TALK * (index % 4) + wish + " " + TALK * 3 for index, wish in enumerate(wishes)))
    )
    lines = asked.lines(asked.wishes_size + 100)
    assert [line.partition(":")[0] for line in lines] == [f"u{number}" for number in range(1, 41)]
    assert all(wish in line for wish, line in zip(wishes, lines, strict=True))


def test_whatever_is_left_out_has_its_handle_named() -> None:
    asked = UserWishes(numbered("Paint a fox.", *[TALK] * 8, "Keep seed 4711.", TALK, "Go on."))
    assert asked.lines(150) == [
        "u1: Paint a fox.",
        "u2 to u11: left out here, 9 in all",
        "u10: Keep seed 4711.",
        "u12: Go on.",
    ]


def test_a_wish_goes_first_that_a_later_one_repeats_takes_back_or_had_done() -> None:
    begin, end = "Paint a fox.", "Go on."
    repeated = UserWishes(
        numbered(begin, "Set steps to 301.", "Use seed 477.", "Set steps to 405.", TALK, end)
    )
    assert "301" not in str(repeated.lines(140))
    assert "477" in str(repeated.lines(140))
    taken_back = UserWishes(
        numbered(begin, "Keep seed 4711.", "Keep node 5555.", "Forget seed 4711.", TALK, end)
    )
    assert "Keep seed" not in str(taken_back.lines(140))
    assert "Keep node" in str(taken_back.lines(140))
    fulfilled = UserWishes(numbered(begin, "Use size 5555.", "Use seed 4711.", TALK, end), worked={3})
    assert "5555" in str(fulfilled.lines(112))
    assert "4711" not in str(fulfilled.lines(112))


def test_a_rule_that_lasts_is_not_fulfilled_by_being_followed_once() -> None:
    asked = UserWishes(
        numbered("Begin.", "Always use size 5555.", "Use seed 4711.", TALK, "Go on."), worked={2, 3}
    )
    assert "5555" in str(asked.lines(112))
    assert "4711" not in str(asked.lines(112))


def test_pasted_lines_do_not_crowd_out_the_wish_between_them() -> None:
    log = "\n".join(f"step {number} loss 0.{number}77 seed {number}4711" for number in range(300))
    asked = UserWishes(numbered("Begin.", f"{log}\nSave it as fox_4711.\n{log}", TALK, "Go on."))
    assert asked.lines(120)[1] == "u2: … Save it as fox_4711. …"


def test_of_a_very_long_sentence_the_clause_with_the_wish_stays() -> None:
    long = ", ".join(
        ["and so it went on for a while"] * 20 + ["keep seed 4711 for all of them"] + ["well"] * 60
    )
    assert "keep seed 4711 for all of them" in str(
        UserWishes(numbered("Begin.", long, TALK * 9, "Go on.")).lines(400)
    )


def test_the_words_of_a_focus_come_first() -> None:
    asked = UserWishes(
        numbered("Begin.", "Keep seed 4711.", "The harbour was nice.", TALK, "Go on."), focus="harbour"
    )
    assert "harbour" in str(asked.lines(112))
    assert "4711" not in str(asked.lines(112))


def test_with_no_room_at_all_the_first_and_the_newest_message_still_begin() -> None:
    lines = UserWishes(numbered(*["word " * 400] * 5)).lines(120)
    assert [line[:8] for line in lines] == ["u1: word", "u2 to u4", "u5: word"]
