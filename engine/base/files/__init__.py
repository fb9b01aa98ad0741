"""Files on a disk: read whatever lies in their place, replaced as a whole, and named as every system takes it."""
