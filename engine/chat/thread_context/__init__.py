"""Everything that a thread's requests are built from: provider, options, system message, compactions.

All reading, storing and learning happens here; `engine/context` plans from it without side effects.
"""
