"""The database and the settings of each user."""
