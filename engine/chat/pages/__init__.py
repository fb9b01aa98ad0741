"""Which page makes the calls of a thread's turn, of all pages and processes."""
