"""What a turn draws on: its provider, texts, tools, project files and other chats, its options and limits."""
