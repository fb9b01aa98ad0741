"""Time on the event loop: work beside the requests, turns that are fair, waiting that ends."""
