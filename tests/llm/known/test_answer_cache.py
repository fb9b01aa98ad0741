from __future__ import annotations

from comfyui_assistant.engine.llm.known.answer_cache import AnswerCache


class Answering:
    """Answers with how often it was asked, on a clock that a test turns."""

    def __init__(self) -> None:
        self.now = 0.0
        self.times = 0
        self.cache = AnswerCache(self.ask, seconds=self.worth, clock=lambda: self.now)

    async def ask(self, question: str) -> str:
        self.times += 1
        return f"{question} {self.times}"

    def worth(self, question: str, answer: str) -> float:
        return 5.0 if "short" in question and answer else 60.0


async def test_a_question_is_asked_again_when_its_answer_is_worth_no_more() -> None:
    answering = Answering()
    assert await answering.cache.answer("a") == "a 1"
    answering.now = 59.0
    assert await answering.cache.answer("a") == "a 1"
    answering.now = 60.0
    assert await answering.cache.answer("a") == "a 2"


async def test_each_answer_is_worth_its_own_time_and_answers_its_own_question() -> None:
    answering = Answering()
    assert [await answering.cache.answer(question) for question in ("a", "short")] == ["a 1", "short 2"]
    answering.now = 5.0
    assert [await answering.cache.answer(question) for question in ("a", "short")] == ["a 1", "short 3"]


async def test_what_is_forgotten_is_asked_again() -> None:
    answering = Answering()
    await answering.cache.answer("a")
    answering.cache.forget()
    assert await answering.cache.answer("a") == "a 2"
