"""Alembic migrations of the chats, run when the store is opened."""
