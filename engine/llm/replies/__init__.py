"""Replies of models, in the dialects of their servers, as neutral events."""
