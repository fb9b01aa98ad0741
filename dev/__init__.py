"""What `make` calls: set-up of the ignored cache, checks, the real ComfyUI, and running the product."""
