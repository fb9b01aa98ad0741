"""Calls of tools: which are run, which are refused, the form that they come in, and how far a turn may go."""
