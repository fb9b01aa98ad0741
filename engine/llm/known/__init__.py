"""Facts on servers and models, and their sources."""
