"""Access to models: the client, endpoints, and the provider in use; subfolders for requests, replies and refusals."""
