"""The event log of threads: added to, kept as drafts while it is streamed, and read as conversations."""
