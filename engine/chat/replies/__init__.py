"""Replies of a model: what each passes on its way to the person, and how one is asked for again."""
