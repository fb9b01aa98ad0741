"""The open workflow in plain words, and calls in plain words: for models that cannot keep ids and exact names apart."""
