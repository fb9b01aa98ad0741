from __future__ import annotations

from dataclasses import dataclass, field

from comfyui_assistant.engine.http.rules import RuleHandlers
from comfyui_assistant.engine.store.own_rules import Rule

from .handlers import serving

RULES = "/assistant/rules"


@dataclass
class Rules:
    texts: list[str] = field(default_factory=list)

    async def rules(self) -> list[Rule]:
        return [Rule(text, "remembered") for text in self.texts]

    async def remember_rule(self, text: str) -> Rule:
        self.texts.append(text)
        return Rule(text, "remembered")

    async def forget_rule(self, text: str) -> None:
        self.texts.remove(text)


async def test_rules_are_remembered_listed_and_forgotten() -> None:
    async with serving(RuleHandlers(Rules()).routes()) as client:
        kept = await client.post(RULES, json={"text": "Speak German."})
        assert (kept.status, await kept.json()) == (201, {"text": "Speak German.", "source": "remembered"})
        assert await (await client.get(RULES)).json() == {
            "rules": [{"text": "Speak German.", "source": "remembered"}]
        }
        assert (await client.delete(RULES, json={"text": "Speak German."})).status == 204
        assert await (await client.get(RULES)).json() == {"rules": []}


async def test_a_rule_without_text_is_refused() -> None:
    async with serving(RuleHandlers(Rules()).routes()) as client:
        answer = await client.post(RULES, json={"text": 7})
        assert (answer.status, (await answer.json())["error"]["code"]) == (400, "invalid_request")
