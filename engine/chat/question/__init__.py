"""The question of a request: its newest message, and everything stored with it before a model is asked."""
