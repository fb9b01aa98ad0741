"""Files that a user wants every chat to know: stored, read and searched."""
