"""Calls of tools: which are run, which are refused, the form that they come in, and how many a turn may make."""
