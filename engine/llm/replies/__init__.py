"""What a model answers, in the dialects of its servers, as neutral events."""
