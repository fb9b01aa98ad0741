"""What can still be read of a damaged SQLite file, and of an older one."""
