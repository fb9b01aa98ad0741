"""Images, and the prompts that they came from."""
