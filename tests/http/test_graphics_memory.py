from __future__ import annotations

from pathlib import Path

from comfyui_assistant.engine.comfy.host import GraphicsMemory

from ..memory_holders import MODEL, Ollama
from ..running_assistant import running_assistant

SHORT = GraphicsMemory(total=12_000, others=5_000)


async def test_a_page_that_runs_a_workflow_has_the_model_go_and_come_back(tmp_path: Path) -> None:
    holder = Ollama()
    async with holder.running() as base_url:
        environ = {"COMFYUI_ASSISTANT_BASE_URL": base_url, "COMFYUI_ASSISTANT_MODEL": MODEL}
        async with running_assistant(tmp_path, environ, graphics=SHORT) as assistant:
            thread = await assistant.new_thread()
            made = await assistant.call("POST", "/assistant/renders/call_1", {"threadId": thread})
            assert (made.json, holder.is_loaded) == ({"model": MODEL}, False)
            await assistant.call("DELETE", "/assistant/renders/call_1")
            for _ in range(100):
                if holder.is_loaded:
                    break
                await assistant.call("GET", "/assistant/status")
            assert holder.is_loaded


async def test_without_a_model_a_run_has_all_the_room_there_is(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}, graphics=SHORT) as assistant:
        made = await assistant.call("POST", "/assistant/renders/call_1", {})
        assert (made.status, made.json) == (200, {"model": None, "reason": "elsewhere"})


async def test_a_person_who_asks_for_memory_is_given_it_whatever_is_usual(tmp_path: Path) -> None:
    holder = Ollama()
    async with holder.running() as base_url:
        environ = {"COMFYUI_ASSISTANT_BASE_URL": base_url, "COMFYUI_ASSISTANT_MODEL": MODEL}
        async with running_assistant(tmp_path, {**environ, "LLM_MAKE_ROOM": "off"}) as assistant:
            usual = await assistant.call("POST", "/assistant/renders/call_1", {})
            assert usual.json == {"model": None, "reason": "off"}
            made = await assistant.call("POST", "/assistant/renders/free", {"always": True})
            assert (made.json, holder.is_loaded) == ({"model": MODEL}, False)
