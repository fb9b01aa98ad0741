"""Skills in the open SKILL.md format: a folder each, read safely and found by slug or name."""
