"""Files on a disk: safe reading, atomic replacement, and names that every system accepts."""
