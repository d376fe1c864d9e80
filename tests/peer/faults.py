"""What goes wrong on purpose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lo_bot_api_emulator import ApiRefusal


@dataclass
class Fault:
    """The next `times` calls of a method fail so, in every chat or in one."""

    method: str
    code: int
    description: str
    chat_id: int | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    times: int = 1
    delay: float = 0.0
    """Seconds before it fails."""
    after: int = 0
    """So many calls pass first."""

    def applies(self, method: str, fields: dict[str, Any]) -> bool:
        """True for a call that is to fail; one that is to pass is counted."""
        meant = self.method.lower() == method.lower() and (
            self.chat_id is None or str(self.chat_id) == str(fields.get("chat_id"))
        )
        if meant and self.after:
            self.after -= 1
            return False
        return meant and self.times > 0

    def refusal(self) -> ApiRefusal:
        """Count one call, and give the error of it."""
        self.times -= 1
        return ApiRefusal(self.description, self.code, self.parameters or None)
