"""What is read from the internet, each from one named place and only when a tool asks for it."""
