"""Calls of tools: which are run, which are refused, and those in plain words."""
