"""A model made of files: an HTTP server that speaks the OpenAI protocol from scenarios and records what it was sent.

`provider.ScriptedProvider` is the one for tests, `python -m dev.scripted` the one for people.
`scenarios/README.md` tells how a scenario is written.
"""
