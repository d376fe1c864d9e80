"""A reply while it is written: the sentences that are finished and stand, as they come."""

from __future__ import annotations

from collections.abc import Mapping

from bot.answer import Sentence
from bot.assistant.continuing import first_of
from bot.assistant.grounding import ground
from index.paper import Paper

_ENDS = frozenset(".!?:\n]")


class Draft:
    """One turn's text on its way from a model.

    A sentence is finished when the next one has begun, since its key may stand behind its stop.
    Past `tokens`, where that is not 0, nothing more is shown.
    """

    def __init__(self, tokens: int = 0) -> None:
        self._tokens = tokens
        self._message = ""
        self._text = ""
        self._shown = 0

    def add(self, message: str, text: str) -> bool:
        """Take a piece of a model's message; True where a sentence may be finished by it.

        A piece of another message begins anew: the model was asked to correct itself.
        """
        if message != self._message:
            self._message, self._text = message, ""
        before = self._text[-1:]
        self._text += text
        return bool(_ENDS & set(before + text[:-1]))

    def standing(self, sources: Mapping[str, Paper]) -> tuple[Sentence, ...]:
        """The finished sentences that stand, where there are more than before; else none."""
        *finished, _ = ground(self._text, sources).sentences or (None,)
        kept = tuple(checked.sentence() for checked in finished if checked and not checked.problem)
        kept = kept if any(sentence.citations for sentence in kept) else ()
        kept = first_of(kept, self._tokens)
        if len(kept) <= self._shown:
            return ()
        self._shown = len(kept)
        return kept
