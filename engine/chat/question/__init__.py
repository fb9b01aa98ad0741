"""What a request asks: its newest message, and all that is written down with it before a model is asked."""
