"""The running ComfyUI as plain values: node types, models, packages."""
