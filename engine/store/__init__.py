"""What is kept, and the settings of the person."""
