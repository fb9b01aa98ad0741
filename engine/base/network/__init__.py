"""Connections that leave the process: their one way out, addresses, and replies read within limits."""
