"""The UI message stream: typed chunks, the encoder and its SSE form."""
