"""The skills in the user's own folder: write, delete, undo, import, switch off."""
