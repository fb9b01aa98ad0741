"""Files that a person wants each chat to know, of one workflow or of all: kept, read and searched."""
