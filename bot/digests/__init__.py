"""When a digest is due, what goes in, that it is sent once."""
