"""Papers, and finding them. Knows nothing of the conversation."""
