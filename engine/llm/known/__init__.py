"""What is known of servers and models, and who says so."""
