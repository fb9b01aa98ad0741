"""The context of a thread with its effects: opened, kept, condensed, and what is learned while it is used."""
