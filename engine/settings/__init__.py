"""What can be set: by the environment before ComfyUI starts, and in the panel while it runs."""
