"""The methods of the Bot API the bot uses, over HTTP."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from lo_bot_api_emulator import CONTRACT, ApiRefusal, LoBotApiEmulator
from lo_bot_api_emulator.updates import UpdateError

from tests.peer import schema
from tests.peer.faults import Fault
from tests.peer.formatting import MAX_CAPTION, MAX_TEXT, BadRequest, Entity, Formatted, accept
from tests.peer.queues import Queues

NOT_MODIFIED = (
    "Bad Request: message is not modified: specified new message content and reply markup are "
    "exactly the same as a current content and reply markup of the message"
)
TOO_OLD = "Bad Request: query is too old and response timeout expired or query ID is invalid"

# Parameters are held against aiogram's schema instead, and lengths counted after parsing.
for _definition in CONTRACT["methods"].values():
    _definition["allowUnknownParameters"] = True
CONTRACT["limits"].update(textUtf16=10**9, captionUtf16=10**9)

Message = dict[str, Any]


@dataclass
class Call:
    """One call the bot made, and what came of it."""

    method: str
    fields: dict[str, Any]
    status: int
    description: str = ""
    result: Any = None
    files: dict[str, bytes] = field(default_factory=dict)
    at: float = field(default_factory=time.monotonic)

    @property
    def chat(self) -> int:
        """The chat it went to, 0 where it has none."""
        return int(self.fields.get("chat_id", 0))

    @property
    def text(self) -> str:
        """The text people see, without markup; empty where there is none."""
        result = self.result if isinstance(self.result, dict) else {}
        return str(result.get("text") or result.get("caption") or "")

    @property
    def formatted(self) -> Formatted:
        """The text people see with its entities."""
        return Formatted(self.text, tuple((self.result or {}).get("entities", ())))

    @property
    def buttons(self) -> list[list[dict[str, Any]]]:
        """The inline keyboard, row by row."""
        markup = (self.result or {}).get("reply_markup") or {}
        rows: list[list[dict[str, Any]]] = markup.get("inline_keyboard", [])
        return rows


class Server(LoBotApiEmulator):  # type: ignore[misc]
    """One bot's world: chats, messages, faults, and every call."""

    def __init__(self) -> None:
        super().__init__(max_history=100_000, max_assets=10_000)
        self._update_queues = Queues(record=self._record, max_updates=10_000, max_bots=64)
        self.calls: list[Call] = []
        self.violations: list[schema.Violation] = []
        self.faults: list[Fault] = []
        self.blocked: set[int] = set()
        self.moved: dict[int, int] = {}
        """Groups that became supergroups."""
        self.queries: set[str] = set()
        """Callback queries young enough to be answered."""
        self.messages: dict[tuple[int, int], Message] = {}
        self.tokens: set[str] | None = None
        """Tokens known to the server; None knows any."""
        self.news = asyncio.Condition()
        self._ids = itertools.count(1)

    def app(self) -> web.Application:
        """The application to serve."""
        app = web.Application()
        app.router.add_post("/bot{token}/{method}", self.handle)
        return app

    def fresh_id(self) -> int:
        """A fresh message id."""
        return next(self._ids)

    async def handle(self, request: web.Request) -> web.Response:
        """Serve one call."""
        token = request.match_info["token"]
        asked = request.match_info["method"].lower()
        method = next((name for name in CONTRACT["methods"] if name.lower() == asked), asked)
        call = Call(method, {}, 200)
        body: dict[str, Any]
        try:
            self._check_token(token)
            fields, uploads = await self.read_request(request)
            call.fields = dict(fields)
            call.files = {name: upload["data"] for name, upload in uploads.items()}
            self.note(schema.request_violation(method, {*fields, *uploads}))
            await self._fail_on_purpose(method, fields)
            call.result = await self._call(method, token, fields, uploads, request)
            if method != "getUpdates":
                self.note(schema.result_violation(method, call.result))
            body = {"ok": True, "result": call.result}
        except (ApiRefusal, UpdateError, BadRequest) as error:
            body = self._refused(error)
            call.status, call.description = body["error_code"], body["description"]
        if method != "getUpdates":
            async with self.news:
                self.calls.append(call)
                self.news.notify_all()
        return web.json_response(body, status=call.status)

    def _check_token(self, token: str) -> None:
        number, _, secret = token.partition(":")
        if not number.isdigit() or not secret:
            raise ApiRefusal("Not Found", 404)
        if self.tokens is not None and token not in self.tokens:
            raise ApiRefusal("Unauthorized", 401)

    def note(self, violation: schema.Violation | None) -> None:
        """Keep what breaks the schema."""
        if violation:
            self.violations.append(violation)

    async def _fail_on_purpose(self, method: str, fields: dict[str, Any]) -> None:
        for fault in self.faults:
            if fault.applies(method, fields):
                refusal = fault.refusal()
                async with self.news:
                    self.news.notify_all()
                if fault.delay:
                    await asyncio.sleep(fault.delay)
                raise refusal

    @staticmethod
    def _refused(error: ApiRefusal | UpdateError | BadRequest) -> dict[str, Any]:
        if isinstance(error, BadRequest):
            return {"ok": False, "error_code": 400, "description": f"Bad Request: {error}"}
        said = error.description if isinstance(error, ApiRefusal) else str(error)
        body = {"ok": False, "error_code": error.status, "description": said}
        if parameters := getattr(error, "parameters", None):
            body["parameters"] = parameters
        return body

    async def _call(
        self,
        method: str,
        token: str,
        fields: dict[str, Any],
        uploads: dict[str, Any],
        request: web.Request,
    ) -> Any:
        if method == "getUpdates":
            return await self._update_queues.poll(
                token,
                fields,
                disconnected=lambda: request.transport is None or request.transport.is_closing(),
            )
        if method == "deleteWebhook":
            return await self._update_queues.set_webhook(token, {**fields, "url": ""})
        if method == "getMe":
            return self.bot(token)
        if method == "answerCallbackQuery":
            if fields.get("callback_query_id") not in self.queries:
                raise ApiRefusal(TOO_OLD)
            return self.validate(method, dict(fields), uploads)
        if "chat_id" in fields:
            self._check_chat(int(fields["chat_id"]))
        special: dict[str, Callable[[], Any]] = {
            "sendMessage": lambda: self._send(method, token, fields, uploads),
            "sendDocument": lambda: self._send(method, token, fields, uploads),
            "editMessageText": lambda: self._edit(fields),
            "editMessageReplyMarkup": lambda: self._edit(fields),
            "deleteMessage": lambda: self._delete(fields),
            "sendMessageDraft": lambda: _draft(fields),
        }
        return special.get(method, lambda: self.validate(method, fields, uploads))()

    def bot(self, token: str) -> dict[str, Any]:
        """The bot's own account."""
        number = int(token.partition(":")[0])
        return {
            "id": number,
            "is_bot": True,
            "first_name": "Footnote",
            "username": f"test_{number}_bot",
            "can_join_groups": True,
            "can_read_all_group_messages": False,
            "supports_inline_queries": False,
            "can_connect_to_business": False,
            "has_main_web_app": False,
            "has_topics_enabled": False,
            "allows_users_to_create_topics": False,
            "can_manage_bots": False,
            "supports_guest_queries": False,
            "supports_join_request_queries": False,
        }

    def _check_chat(self, chat: int) -> None:
        if chat in self.moved:
            raise ApiRefusal(
                "Bad Request: group chat was upgraded to a supergroup chat",
                400,
                {"migrate_to_chat_id": self.moved[chat]},
            )
        if chat in self.blocked:
            raise ApiRefusal("Forbidden: bot was blocked by the user", 403)
        # A person must have written to a bot before it may write to them.
        if chat > 0 and not any(chat == known for known, _ in self.messages):
            raise ApiRefusal("Bad Request: chat not found")

    def _send(
        self, method: str, token: str, fields: dict[str, Any], uploads: dict[str, Any]
    ) -> Message:
        chat = int(fields["chat_id"])
        name, limit = ("text", MAX_TEXT) if method == "sendMessage" else ("caption", MAX_CAPTION)
        mode, own = fields.pop("parse_mode", None), _decoded(fields.pop("entities", None))
        formatted = accept(str(fields.get(name, "")), mode, own, limit)
        if name == "text" or name in fields:
            fields[name] = formatted.text
        replied = self._replied(chat, _decoded(fields.pop("reply_parameters", None)))
        _check_keyboard(fields)
        message: Message = self.validate(method, fields, uploads)
        message |= {
            "message_id": self.fresh_id(),
            "date": int(time.time()),
            "from": {
                k: v
                for k, v in self.bot(token).items()
                if not k.startswith(("can_", "supports_", "has_", "allows_"))
            },
            "chat": chat_object(chat),
        }
        if formatted.entities:
            kind = "entities" if name == "text" else "caption_entities"
            message[kind] = list(formatted.entities)
        if replied:
            message["reply_to_message"] = {
                k: v for k, v in replied.items() if k != "reply_to_message"
            }
        if uploads and "document" in message:
            upload = next(iter(uploads.values()))
            message["document"] |= {"file_name": upload["filename"], "file_size": upload["size"]}
        return self.keep(message)

    def _replied(self, chat: int, reply: dict[str, Any] | None) -> Message | None:
        if not reply:
            return None
        found = self.messages.get((chat, int(reply["message_id"])))
        if found is None and not reply.get("allow_sending_without_reply"):
            raise ApiRefusal("Bad Request: message to be replied not found")
        return found

    def _edit(self, fields: dict[str, Any]) -> Message:
        key = int(fields["chat_id"]), int(fields["message_id"])
        old = self.messages.get(key)
        if old is None:
            raise ApiRefusal("Bad Request: message to edit not found")
        if not old.get("from", {}).get("is_bot"):
            raise ApiRefusal("Bad Request: message can't be edited")
        _check_keyboard(fields)
        # An edit without a keyboard removes the one there was.
        new = {k: v for k, v in old.items() if k != "reply_markup"}
        if "text" in fields:
            mode, own = fields.get("parse_mode"), _decoded(fields.get("entities"))
            formatted = accept(str(fields["text"]), mode, own)
            new["text"] = formatted.text
            new.pop("entities", None)
            if formatted.entities:
                new["entities"] = list(formatted.entities)
        if markup := fields.get("reply_markup"):
            new["reply_markup"] = markup
        if _content(new) == _content(old):
            raise ApiRefusal(NOT_MODIFIED)
        return self.keep({**new, "edit_date": int(time.time())})

    def _delete(self, fields: dict[str, Any]) -> bool:
        key = int(fields["chat_id"]), int(fields["message_id"])
        if self.messages.pop(key, None) is None:
            raise ApiRefusal("Bad Request: message to delete not found")
        return True

    def keep(self, message: Message) -> Message:
        """Remember a message, so that it can be edited, replied to and tapped on."""
        self.messages[message["chat"]["id"], message["message_id"]] = message
        return message


def chat_object(chat: int) -> dict[str, Any]:
    """A private chat for a positive id, else a group."""
    if chat > 0:
        return {"id": chat, "type": "private", "first_name": "Ada"}
    kind = "supergroup" if str(chat).startswith("-100") else "group"
    return {"id": chat, "type": kind, "title": "Readers"}


def _decoded(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) and value else value


def _content(message: Message) -> tuple[str, list[Entity], Any]:
    return message.get("text", ""), message.get("entities", []), message.get("reply_markup")


def _check_keyboard(fields: dict[str, Any]) -> None:
    markup = _decoded(fields.pop("reply_markup", None))
    if not markup:
        return
    if "inline_keyboard" not in markup:
        fields["reply_markup"] = markup
        return
    rows = [row for row in markup["inline_keyboard"] if row]
    for button in itertools.chain.from_iterable(rows):
        if len(button.get("callback_data", "").encode()) > 64:
            raise ApiRefusal("Bad Request: BUTTON_DATA_INVALID")
        if not set(button) - {"text"}:
            raise ApiRefusal(
                "Bad Request: can't parse inline keyboard button: "
                "Text buttons are unallowed in the inline keyboard"
            )
    if sum(map(len, rows)) > 100:
        raise ApiRefusal("Bad Request: REPLY_MARKUP_TOO_LONG")
    if rows:
        fields["reply_markup"] = {"inline_keyboard": rows}


def _draft(fields: dict[str, Any]) -> bool:
    """A draft is shown in private chats, under a number of the bot's own that is not zero."""
    if int(fields["chat_id"]) <= 0:
        raise ApiRefusal("Bad Request: chat not found")
    if not int(fields.get("draft_id", 0)):
        raise ApiRefusal("Bad Request: DRAFT_ID_INVALID")
    return True
