"""Addresses of common model servers and clouds, for the settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_HERE = "http://127.0.0.1"


@dataclass(frozen=True)
class Preset:
    """An address with its label. One that `runs_here` is local and needs no key."""

    label: str
    base_url: str
    runs_here: bool = False

    def as_json(self) -> dict[str, Any]:
        return {"label": self.label, "baseUrl": self.base_url, "local": self.runs_here}


PRESETS = (
    Preset("Ollama", f"{_HERE}:11434/v1", runs_here=True),
    Preset("LM Studio", f"{_HERE}:1234/v1", runs_here=True),
    Preset("llama.cpp", f"{_HERE}:8080/v1", runs_here=True),
    Preset("vLLM", f"{_HERE}:8000/v1", runs_here=True),
    Preset("KoboldCpp", f"{_HERE}:5001/v1", runs_here=True),
    Preset("SGLang", f"{_HERE}:30000/v1", runs_here=True),
    Preset("Jan", f"{_HERE}:1337/v1", runs_here=True),
    Preset("text-generation-webui", f"{_HERE}:5000/v1", runs_here=True),
    Preset("OpenAI", "https://api.openai.com/v1"),
    Preset("Anthropic", "https://api.anthropic.com/v1"),
    Preset("Google Gemini", "https://generativelanguage.googleapis.com/v1beta/openai"),
    Preset("OpenRouter", "https://openrouter.ai/api/v1"),
    Preset("Mistral", "https://api.mistral.ai/v1"),
    Preset("DeepSeek", "https://api.deepseek.com/v1"),
    Preset("Groq", "https://api.groq.com/openai/v1"),
    Preset("xAI", "https://api.x.ai/v1"),
    Preset("Together", "https://api.together.xyz/v1"),
    Preset("Fireworks", "https://api.fireworks.ai/inference/v1"),
    Preset("Cerebras", "https://api.cerebras.ai/v1"),
    Preset("Moonshot", "https://api.moonshot.ai/v1"),
)
