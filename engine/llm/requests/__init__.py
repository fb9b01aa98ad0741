"""A request as an endpoint takes it: known before it is asked, or learned from what it refused."""
