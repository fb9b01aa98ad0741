"""Requests in the form that an endpoint accepts, known in advance or learned from its refusals."""
