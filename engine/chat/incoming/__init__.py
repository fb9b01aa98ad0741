"""The incoming message of a request, and everything that is stored with it before a model is asked."""
