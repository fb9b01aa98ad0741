"""Pictures, and what they were made of."""
