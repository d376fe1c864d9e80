"""Which messages are meant for the bot."""

from __future__ import annotations

from telegram import Bot, Message, MessageEntity


def command_of(message: Message, username: str) -> tuple[str, str] | None:
    """(command, the words after it) where a message begins with a command for this bot.

    The command is lower case and without `/`; it is empty for `/find@OtherBot`.
    """
    text = message.text or ""
    first = next((e for e in message.entities if e.offset == 0), None)
    if first is None or first.type != MessageEntity.BOT_COMMAND:
        return None
    name, _, addressee = text[1 : first.length].partition("@")
    if addressee and addressee.casefold() != username.casefold():
        return "", ""
    return name.lower(), text[first.length :].strip()


def words_for(message: Message, bot: Bot) -> str | None:
    """What is said to the bot in a message that is no command; None where it is not meant.

    In a private chat everything is. In a group only a reply to the bot, or its @name, which is
    looked for among the entities: the same letters in a web address are no mention.
    """
    text = message.text or ""
    if message.chat.type == "private":
        return text
    for entity, name in message.parse_entities([MessageEntity.MENTION]).items():
        if name.casefold() == f"@{bot.username}".casefold():
            return _without(text, entity).strip()
    replied = message.reply_to_message
    if replied and replied.from_user and replied.from_user.id == bot.id:
        return text
    return None


def _without(text: str, entity: MessageEntity) -> str:
    """The text without one entity, whose place is given in UTF-16 units."""
    data = text.encode("utf-16-le")
    start, end = 2 * entity.offset, 2 * (entity.offset + entity.length)
    before, after = data[:start].decode("utf-16-le"), data[end:].decode("utf-16-le")
    return f"{before.rstrip()} {after.lstrip()}"
