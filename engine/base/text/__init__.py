"""Text on its own: what it is cut to, counted in, split at and kept as, whatever it says."""
