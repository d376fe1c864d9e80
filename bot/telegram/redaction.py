"""The token is written into no log, whoever logs it."""

from __future__ import annotations

import logging
import re
from urllib.parse import quote

HIDDEN = "<token>"
_LOOKS_LIKE_A_TOKEN = re.compile(r"(?<!\d)\d{5,}(?::|%3A)[A-Za-z0-9_-]{20,}")


class Redaction(logging.Filter):
    """Replaces the token in a record's message, traceback and stack, and lets every record pass."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._spellings = (token, quote(token, safe=""))

    def filter(self, record: logging.LogRecord) -> bool:
        """Redact one record."""
        record.msg, record.args = self.redact(record.getMessage()), ()
        if record.exc_info and not record.exc_text:
            # Formatters use the text of a traceback that is already there.
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = self.redact(record.exc_text)
        if record.stack_info:
            record.stack_info = self.redact(record.stack_info)
        return True

    def redact(self, text: str) -> str:
        """The text without the token, and without anything that looks like one."""
        for spelling in self._spellings:
            text = text.replace(spelling, HIDDEN)
        return _LOOKS_LIKE_A_TOKEN.sub(HIDDEN, text)


def keep_out_of_logs(token: str) -> None:
    """Redact all handlers there are, and quiet the libraries that log each address they call."""
    redaction = Redaction(token)
    loggers = [logging.getLogger(name) for name in list(logging.root.manager.loggerDict)]
    handlers = {handler for logger in (logging.root, *loggers) for handler in logger.handlers}
    if logging.lastResort:
        handlers.add(logging.lastResort)
    for handler in handlers:
        handler.addFilter(redaction)
    for name in ("httpx", "httpcore", "apscheduler"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # It logs a traceback for each 429, which the sender waits out.
    logging.getLogger("telegram.ext.AIORateLimiter").setLevel(logging.CRITICAL)
