"""The open workflow as a list, and flat tools that take the names in it: for windows with little room."""
