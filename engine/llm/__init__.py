"""Talking to a model: endpoints, what is known of models, dialects, and one stream of neutral events."""
