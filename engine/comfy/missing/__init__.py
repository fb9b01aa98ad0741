"""What a workflow needs and this ComfyUI does not have, and what would help."""
