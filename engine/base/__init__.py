"""The vocabulary of all other folders: messages, events, tool results, errors, text, files, time and network."""
