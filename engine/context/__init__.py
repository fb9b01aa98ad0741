"""Pure functions from a conversation to the request that is sent."""
