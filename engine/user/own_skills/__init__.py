"""The skills in a person's own folder: written, deleted, put back, taken in from elsewhere, switched off."""
