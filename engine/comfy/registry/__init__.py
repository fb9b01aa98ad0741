"""ComfyUI's public registry of node packages, which is asked only on demand."""
