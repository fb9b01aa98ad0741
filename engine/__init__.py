"""The engine: everything but what is put together in the root modules, which it never imports."""
