"""What leaves the process: the one way out, the addresses that it goes to, and answers read within limits."""
