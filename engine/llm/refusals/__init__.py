"""Refusals: what an endpoint answers in place of a reply, and what can be done about it."""
