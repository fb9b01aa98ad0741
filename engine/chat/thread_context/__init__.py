"""What a thread's requests are made of, with its effects: its provider, options, system message and what was condensed.

Here all of it is read, kept and learned from. `engine/context` plans one request of it, and has no effects.
"""
