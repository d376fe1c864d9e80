"""arXiv's whole history by OAI-PMH, in pieces that can be taken up again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from index.paper import Paper
from index.sources.arxiv.harvest import Harvested, read_harvest
from index.sources.arxiv.service import API_URL, OAI_URL, below, gate
from index.sources.source import JSON, BadAnswer, Page, SourceFailure
from index.sources.web import Web

RESTARTS = 3
"""Tokens that expire one after the other without a record between them end the harvest."""


class ArxivHarvest:
    """All records of a set, or of arXiv.

    Args:
        set_: such as `cs` or `physics:hep-th`; empty for everything.
        since, until: first and last datestamp, the day of a record's last change.
        url: the root that holds `/oai`; arXiv's own by default.
    """

    def __init__(
        self,
        set_: str = "",
        *,
        since: date | None = None,
        until: date | None = None,
        url: str = API_URL,
    ) -> None:
        self.set = set_
        self.since, self.until = since, until
        self.url = OAI_URL if url.rstrip("/") == API_URL else below(url, "/oai")
        extent = f" {since or ''}..{until or ''}" if since or until else ""
        self.name = f"arxiv:oai:{set_ or 'all'}{extent}"

    def pages(self, web: Web, state: Mapping[str, JSON]) -> Iterator[Page]:
        """Page after page; an expired token costs one page, not the harvest."""
        token, since = str(state.get("token") or ""), self._since(state)
        # Ids with the latest datestamp so far come again after a restart.
        seen: dict[str, str] = {}
        restarts, ordered, began = 0, True, since
        while True:
            answer = self._ask(web, token, since)
            if answer.error == "badResumptionToken" and token:
                restarts += 1
                if restarts > RESTARTS:
                    raise BadAnswer("arXiv's resumption tokens expire at once; try again later")
                # Where datestamps do not rise, some below the latest may be missing still.
                token, since = "", since if ordered else began
                continue
            if answer.error == "noRecordsMatch":
                yield Page(state={"since": since} if since else {}, note="nothing new")
                return
            if answer.error:
                raise SourceFailure(
                    f"arXiv refused ({answer.error}): {answer.said[:200]}", kind="refused"
                )
            fresh = []
            for one, stamp in answer.records:
                key = one.id if isinstance(one, Paper) else one.where
                if seen.get(key) != stamp:
                    fresh.append(one)
                    seen[key] = stamp
                ordered = ordered and (not stamp or stamp >= since)
                since = max(since, stamp)
            if answer.token and answer.token == token and not fresh:
                raise BadAnswer("arXiv gives the same page again and again; try again later")
            if fresh:
                restarts = 0
            if ordered:
                seen = {key: stamp for key, stamp in seen.items() if stamp >= since}
            token = answer.token
            yield Page(
                records=tuple(fresh),
                state=self._state(token, since if ordered or not token else began),
            )
            if not token:
                return

    def _ask(self, web: Web, token: str, since: str) -> Harvested:
        if token:
            # Nothing may stand beside a token.
            params = {"verb": "ListRecords", "resumptionToken": token}
        else:
            params = {"verb": "ListRecords", "metadataPrefix": "arXiv"}
            params |= {"set": self.set} if self.set else {}
            params |= {"from": since} if since else {}
            params |= {"until": self.until.isoformat()} if self.until else {}
        answer = web.get(self.url, params=params, gate=gate(web.clock))
        return read_harvest(answer.body)

    def _since(self, state: Mapping[str, JSON]) -> str:
        try:
            return date.fromisoformat(str(state.get("since"))).isoformat()
        except ValueError:
            return self.since.isoformat() if self.since else ""

    @staticmethod
    def _state(token: str, since: str) -> dict[str, JSON]:
        kept: dict[str, JSON] = {"since": since}
        return kept | {"token": token} if token else kept
