"""Model files: from a host that the person trusts into one of ComfyUI's own folders, and only after a yes."""
