"""Whether a message is in a language the bundled model can read."""

from __future__ import annotations

import re
import unicodedata

from index.text.words import words

SORRY = (
    "I read English only: the model that ships with Footnote would guess in other languages. "
    "Ask in English, or connect a model of your own with CHAT_MODEL in .env."
)

_ENGLISH = words(
    "the a an is are was were what which who how why when where does do did of in on for with about and or to "
    "by from that this these those it its paper papers find show compare summarise summarize like me you can"
)
_FOREIGN = words(
    # German
    "der die das und ist nicht ein eine einen einem eines für mit welche welcher welches wie warum zeig mir "
    "gibt über zum zur den dem des auf wird werden sind hat haben von bei ich wir was wer wo kannst bitte "
    # French
    "le la les un une des du est sont quel quelle quels quelles pour avec dans sur qui que quoi comment "
    "pourquoi moi montre trouve cherche articles et ou ce cette ces l'article d'un d'une au aux "
    # Spanish, Portuguese, Italian
    "el los las una uno del es son qué cuál cuáles cómo para con por sobre quién dónde artículo artículos "
    "muestra busca encuentra y o qual quais como quem onde artigo artigos mostre sobre il lo gli della dei "
    "delle che cosa quale quali come chi dove perché articolo articoli trova mostrami di "
    # Dutch, Polish, Turkish
    "het een van wat welke waarom hoe zijn voor met jest są jak co dlaczego który które bir ve bu nedir hangi için"
)


def foreign(text: str) -> str:
    """The line that says so, or an empty string where the message may be English."""
    letters = [c for c in text if c.isalpha()]
    if not letters:
        return ""
    latin = sum("LATIN" in unicodedata.name(c, "") for c in letters)
    greek = sum("GREEK" in unicodedata.name(c, "") for c in letters)
    if latin + (greek if greek <= 3 else 0) < 0.7 * len(letters):
        return SORRY
    said = [word.casefold() for word in re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text)]
    strange = sum(word in _FOREIGN and word not in _ENGLISH for word in said)
    english = sum(word in _ENGLISH for word in said)
    if len(said) >= 3 and strange >= 2 and strange > english:
        return SORRY
    return ""
