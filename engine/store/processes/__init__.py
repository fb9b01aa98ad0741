"""What processes that share a store hold for themselves, and tell each other."""
