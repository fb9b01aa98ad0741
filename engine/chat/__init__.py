"""One chat request: what it asks, the turn that answers it, and that only one runs in a thread."""
