"""A cache of slow answers with an expiry time."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Question = TypeVar("Question", bound=Hashable)
Answer = TypeVar("Answer")


class AnswerCache(Generic[Question, Answer]):
    """Caches the answer to each question for `seconds(question, answer)`."""

    def __init__(
        self,
        ask: Callable[[Question], Awaitable[Answer]],
        *,
        seconds: Callable[[Question, Answer], float],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask = ask
        self._seconds = seconds
        self._clock = clock
        self._answers: dict[Question, tuple[float, Answer]] = {}

    async def answer(self, question: Question) -> Answer:
        entry = self._answers.get(question)
        if entry is not None and self._clock() < entry[0]:
            return entry[1]
        answer = await self._ask(question)
        self._answers[question] = (self._clock() + self._seconds(question, answer), answer)
        return answer

    def forget(self) -> None:
        self._answers.clear()
