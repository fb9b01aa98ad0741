"""What is a person's own beside their skills: the texts that they write, their personas, the memory of their chats."""
