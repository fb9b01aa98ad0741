"""The HTTP layer: guard, bodies, route handlers and streams."""
