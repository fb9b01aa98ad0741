"""Time on the event loop: background work, fair turns and timeouts."""
