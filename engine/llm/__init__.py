"""Talking to a model: the client, endpoints and the provider that holds; rooms for what is sent and streamed."""
