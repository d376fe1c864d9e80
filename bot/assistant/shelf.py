"""The shelf: papers a chat saves, by its person's own words, and the list of them."""

from __future__ import annotations

import asyncio
import re

from bot.answer import Action, Actions, Answer, Block, Notice, PaperList
from bot.assistant.artifacts import FoundPaper
from bot.assistant.assistant import Assistant
from bot.assistant.compose import items_of
from bot.chats.store import Chats
from index.library import Library

EMPTY = "Nothing is saved yet. Write “save the first one”, or /save and a paper's name."
GONE = "{} of the saved papers are no longer in the library."
MOST = 50

_SAVE = re.compile(
    r"^(?:please\s+|can\s+you\s+|could\s+you\s+)?(?:save|bookmark|remember|keep)\s+(?P<a>.+?)"
    r"(?:\s+(?:for\s+(?:me|later)|to\s+(?:my\s+)?(?:list|library|reading\s+list|shelf)))*[\s.!?]*$"
    r"|^(?:please\s+)?(?:add|put)\s+(?P<b>.+?)\s+(?:to|on|in|into)\s+my\s+(?:reading\s+)?(?:list|shelf|saved(?:\s+papers)?)[\s.!?]*$",
    re.IGNORECASE,
)
_UNSAVE = re.compile(
    r"^(?:please\s+)?(?:unsave|unbookmark)\s+(?P<a>.+?)[\s.!?]*$"
    r"|^(?:please\s+)?(?:remove|drop|delete|take)\s+(?P<b>.+?)\s+(?:from|off)\s+my\s+(?:reading\s+)?(?:list|shelf|saved(?:\s+papers)?)[\s.!?]*$",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"^(?:please\s+)?(?:(?:list|show|what(?:'s|\s+is|\s+are)?|which|give\s+me|open)\s+)?(?:me\s+)?(?:all\s+)?(?:the\s+)?"
    r"(?:papers?\s+)?(?:(?:did|have|that)\s+)?(?:i(?:'ve|\s+have)?\s+(?:saved?|bookmarked?|kept)|"
    r"(?:what|which)\s+(?:papers\s+)?(?:did|have)\s+i\s+(?:saved?|bookmarked?|kept)|(?:on|in)?\s*my\s+(?:reading\s+list|"
    r"saved(?:\s+papers)?|bookmarks|shelf|list))(?:\s+(?:so\s+far|until\s+now|before))?[\s.!?]*$",
    re.IGNORECASE,
)


class Shelf:
    """Saves what the person says, in their own words or by a command."""

    def __init__(self, assistant: Assistant, chats: Chats, library: Library) -> None:
        self._assistant = assistant
        self._chats = chats
        self._library = library

    async def reply(self, chat: str, text: str) -> Answer | None:
        """The reply to words that save, drop or list papers; None for all others."""
        said = " ".join(text.replace("’", "'").split())
        said = re.sub(r"[\s,]+(?:please|thanks|thank you)[\s.!]*$", "", said, flags=re.IGNORECASE)
        if _LIST.match(said):
            return await self.listed(chat)
        if match := _UNSAVE.match(said):
            return await self.drop(chat, match["a"] or match["b"])
        if match := _SAVE.match(said):
            words = match["a"] or match["b"]
            sure = re.match(r"(?:please\s+)?(?:save|bookmark|add|put)\b", said, re.IGNORECASE)
            # "Keep going" keeps no paper.
            if not sure and not await self._assistant.meant(chat, words):
                return None
            return await self.save(chat, match["a"] or match["b"])
        return None

    async def save(self, chat: str, words: str) -> Answer:
        """Keep the papers that words mean; asks where they mean none."""
        papers = await self._assistant.meant(chat, words)
        if not papers:
            return Answer((Notice(f"I know no paper “{words}” to save. Name it, or its number."),))
        fresh = await self._chats.save(chat, [paper.id for paper in papers])
        count = len(await self._chats.saved(chat))
        known = "" if fresh else " before"
        titles = ", ".join(f"“{paper.title}”" for paper in papers)
        total = f"{count} paper is" if count == 1 else f"{count} papers are"
        return Answer((Notice(f"Saved{known}: {titles}. {total} on your list; /saved shows it."),))

    async def drop(self, chat: str, words: str) -> Answer:
        """Keep the papers that words mean no longer."""
        papers = await self._assistant.meant(chat, words)
        gone = await self._chats.unsave(chat, [paper.id for paper in papers])
        if not gone:
            return Answer((Notice(f"“{words}” is not on your list; /saved shows what is."),))
        titles = ", ".join(f"“{paper.title}”" for paper in papers)
        return Answer((Notice(f"No longer saved: {titles}."),))

    async def listed(self, chat: str) -> Answer:
        """What is kept, the latest first."""
        ids = await self._chats.saved(chat)
        if not ids:
            return Answer((Notice(EMPTY),))
        found = await asyncio.to_thread(lambda: [self._library.get(each) for each in ids])
        papers = [FoundPaper.of(paper) for paper in found if paper][:MOST]
        missing = sum(paper is None for paper in found)
        notices = [Notice(GONE.format(missing))] if missing else []
        actions = Actions(
            tuple(Action(f"Summary {n}", "summary", p.handle) for n, p in enumerate(papers[:5], 1))
        )
        await self._assistant.show(chat, "what I saved", papers)
        blocks: tuple[Block, ...] = (
            PaperList(items_of(papers), "Saved, the latest first"),
            *notices,
            actions,
        )
        return Answer(blocks, papers=tuple(paper.id for paper in papers))
