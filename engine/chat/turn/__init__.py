"""One turn: its steps, what is written of it, and the tasks that it delegates."""
