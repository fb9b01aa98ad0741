"""Server tools: one file each."""
