"""The engine: everything that is neither HTTP nor ComfyUI's doorway. It never imports the root modules."""
