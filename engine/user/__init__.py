"""The user's own data: texts, personas, skills, project files, and the memory of their chats."""
