"""Node types and model files that a workflow needs and this ComfyUI lacks, and what would help."""
