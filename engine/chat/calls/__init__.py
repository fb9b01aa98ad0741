"""Calls of tools: which are run, which are refused, and the form that they come in."""
