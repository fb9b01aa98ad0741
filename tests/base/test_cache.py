from __future__ import annotations

from comfyui_assistant.engine.base.cache import Cache


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_value_holds_for_its_own_seconds() -> None:
    clock = Clock()
    cache: Cache[str, str] = Cache(clock=clock)
    cache.keep("short", "a", seconds=5)
    cache.keep("long", "b", seconds=60)
    cache.keep("always", "c")
    clock.now = 5.0
    assert [cache.get(key) for key in ("short", "long", "always", "never")] == [None, "b", "c", None]
    clock.now = 1e9
    assert [cache.get(key) for key in ("long", "always")] == [None, "c"]


def test_a_value_whose_seconds_are_over_is_given_where_it_is_said_to_hold() -> None:
    cache: Cache[str, tuple[int, str]] = Cache()
    cache.keep("a", (1, "first"), seconds=0)
    assert cache.get("a") is None
    assert cache.get("a", holds=lambda value: value[0] == 2) is None
    assert cache.get("a", holds=lambda value: value[0] == 1) == (1, "first")


def test_where_there_are_too_many_those_go_that_were_used_longest_ago() -> None:
    cache: Cache[str, int] = Cache(most=2)
    cache.keep("a", 1)
    cache.keep("b", 2)
    assert cache.get("a") == 1
    cache.keep("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_what_is_too_large_goes_by_its_size_but_never_the_newest() -> None:
    cache: Cache[str, str] = Cache(most=10, size=len)
    cache.keep("a", "x" * 6)
    cache.keep("a", "x" * 4)
    cache.keep("b", "x" * 6)
    assert (cache.get("a"), cache.get("b")) == ("x" * 4, "x" * 6)
    cache.keep("c", "x" * 20)
    assert [cache.get(key) for key in "abc"] == [None, None, "x" * 20]
    cache.keep("d", "")
    assert [cache.get(key) for key in "cd"] == [None, ""]


async def test_a_question_is_asked_once_for_as_long_as_its_answer_is_worth() -> None:
    clock = Clock()
    cache: Cache[str, str] = Cache(clock=clock)
    asked: list[str] = []

    async def ask(question: str) -> str:
        asked.append(question)
        return f"{question} {len(asked)}"

    def worth(question: str, answer: str) -> float:
        return 5.0 if "short" in question and answer else 60.0

    async def answers() -> list[str]:
        return [await cache.ask(question, ask, seconds=worth) for question in ("a", "short")]

    assert await answers() == await answers() == ["a 1", "short 2"]
    clock.now = 59.0
    assert await answers() == ["a 1", "short 3"]
    cache.clear()
    assert await answers() == ["a 4", "short 5"]
