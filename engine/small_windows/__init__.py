"""The open workflow as a list, and flat tools that accept the names in it, for small context windows."""
