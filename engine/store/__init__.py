"""What is kept: the thread log and the settings of the person."""
