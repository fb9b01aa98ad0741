"""Talking to a model: client, profiles, dialects."""
