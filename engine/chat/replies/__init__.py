"""Replies of a model, as they are asked for: tried again, billed, bounded and checked."""
