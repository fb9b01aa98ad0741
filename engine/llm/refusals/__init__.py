"""What an endpoint answers instead of a reply, and what can be done then."""
