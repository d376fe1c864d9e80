"""A Bot API server on loopback, so that the real bot can be driven as a person drives it.

Built on independent parts: `lo-bot-api-emulator` (HTTP, multipart, queues, long polling), `tdjson`
(Telegram's own parser of formatted text, with its own error texts) and `aiogram` (a second,
independently generated schema of every request and result). Error texts are those of
`Client.cpp` in https://github.com/tdlib/telegram-bot-api.
"""

from tests.peer.control import Call, Peer, running_peer

__all__ = ["Call", "Peer", "running_peer"]
