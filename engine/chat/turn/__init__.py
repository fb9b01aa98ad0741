"""One turn: its steps, where it is written down, what it may spend, and the tasks that it delegates."""
