"""Alembic's entry: migrates over the connection, and in the transaction, of the store."""

from __future__ import annotations

from alembic import context

from bot.chats.models import Row

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Row.metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
