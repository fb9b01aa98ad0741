"""Text without regard to its meaning: cutting, counting, splitting, and valid encodings."""
