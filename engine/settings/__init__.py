"""Settings: of the environment before ComfyUI starts, and of the panel while it runs."""
