"""The material of a thread's requests, with its effects: provider, options, system message, condensed parts.

It is read, stored and learned from here. `engine/context` plans a request from it and has no effects.
"""
