"""What all other rooms speak: messages, events, results of tools, errors, texts, files, time and the network."""
