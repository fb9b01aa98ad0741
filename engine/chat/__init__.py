"""The chat: requests are answered in turns that run on their own, one in each thread."""
