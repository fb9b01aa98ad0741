"""Replies of a model: what each passes on its way to the user, and what it costs."""
