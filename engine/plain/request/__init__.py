"""What a request says, read by rules: what it orders and asks, and which values, texts and nodes it names."""
