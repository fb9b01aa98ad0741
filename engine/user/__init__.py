"""What a user tells the assistant: texts, personas, skills, project files, and the memory of their chats."""
