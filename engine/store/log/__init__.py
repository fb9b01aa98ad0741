"""The event logs of threads: append, drafts of streaming steps, and the conversations that they make."""
