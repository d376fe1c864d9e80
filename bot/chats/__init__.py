"""What is remembered of each chat, in SQL."""
