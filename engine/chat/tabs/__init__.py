"""Which tab makes the calls of a thread's turn, of all tabs and processes."""
