"""What a sentence claims, and whether the papers it cites say so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.assistant.attribution import fallen, misattributed, turned_round
from bot.assistant.markers import Kind, Statement
from bot.assistant.negation import denials
from bot.assistant.numbers import equal, mismatch, numbers
from bot.assistant.quotations import fold, folded_quote, quotations
from bot.assistant.sources import Source, Sources
from bot.assistant.wording import (
    GENERIC,
    SPELT_OUT,
    content,
    flat,
    names,
    proper,
    stem,
)
from index.handles import family_name
from index.identity import canonical_id

_QUESTION = re.compile(
    r"(?:and |or |so |also,? )?(?:would|do|does|did(?!\s+you know)|shall|should|can|could|may|will|is|are|was|"
    r"were|has|have|which|what|who|whom|where|when|why|how|want|need|interested|curious|anything|any|"
    r"looking|ready)\b.*\?",
    re.IGNORECASE | re.DOTALL,
)
_OFFER = re.compile(
    r"(?:(?:please |just )?(?:let me know|feel free|tell me|ask me|ask for|ask|write|say|tap|try|type|send|"
    r"pick|choose|name)\b|(?:i|we)(?: can| could| will| would|'ll|'d)(?: also| gladly| happily)? (?:\w+ )?"
    r"(?:compare|summari[sz]e|show|find|search|look|list|explain|give|help|tell you|go|do|send|start|answer|"
    r"read|like|be happy|be glad)|you(?: can| could| may| might)(?: also| then)? "
    r"(?:ask|write|say|use|try|look|see|find|read|choose|tap|tell|name)|"
    r"if you(?:'d| would)? (?:want|like|wish|need|prefer|are interested).*\b(?:let me|i can|i could|i'll|ask|"
    r"tell|say|write|you can|just|feel free|see|try)\b)",
    re.IGNORECASE | re.DOTALL,
)
_LEAD_IN = re.compile(
    r"(?:(?:here|there|below|above) (?:is|are|you|'s)\b|here's\b|the following|below\b|these (?:are|papers|two|three)"
    r"|(?:i|we) (?:have |'ve )?(?:found|looked|searched|read|checked|compared|picked|listed|only|could|did|do|don't|"
    r"quote|am|can't|cannot)\b|in (?:short|brief|summary|sum)\b.{0,3}$|sure\b|of course\b|certainly\b|thank|"
    r"you're welcome|hello\b|hi\b|hey\b|sorry\b|great\b|ok(?:ay)?\b|yes\b.{0,3}$|no\b.{0,3}$|happy to|glad to|"
    r"both papers\b.{0,20}:$|as for\b.{0,40}:$|sources?\b.{0,3}$|references\b.{0,3}$)",
    re.IGNORECASE,
)
_THAT = re.compile(
    r"\b(?:that(?=\s+\w)|because|since|which|who|whose|but|however|although|while|whereas|as it)\b|[;—]|, and\b"
    r"|\b(?:outperform|beat|achiev|surpass|exceed|reduc|improv|prov|show|demonstrat)\w*",
    re.IGNORECASE,
)
_UNSTATED = re.compile(
    r"\b(?:(?:does|do|did|doesn't|don't|didn't|is|are|was|were|isn't|aren't|wasn't)\s*(?:not|n't)?\s*(?:\w+ly )?"
    r"(?:say|state|mention|report|specify|tell|name|disclose|stated|mentioned|reported|specified|given|named|"
    r"disclosed|said|in (?:the|this|my|your) library|found|covered|available)|"
    r"(?:found|find|know of|have|see|there (?:is|are)) (?:nothing|no \w+)|(?:nothing|no paper|none of (?:the|these)|"
    r"no abstract|neither (?:paper|abstract))\b|(?:could|can|did)(?: not|n't|not) (?:find|answer|tell|see|say))",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\bnot\b|n't\b|cannot\b|\bno\b|\bnothing\b|\bnone\b|\bneither\b", re.IGNORECASE
)
_TURNS = re.compile(
    r"\b(?:but|however|although|though|while|whereas|yet|instead|rather)\b|[;:]", re.IGNORECASE
)


def is_claim(statement: Statement, sources: Sources, *, cited: bool = False) -> bool:
    """Whether a statement says what only a paper can support.

    Not so are questions, offers, lead-ins, titles and handles, and "the abstract does not say".
    Cited ones are claims unless they only say what is unstated.
    """
    text = flat(statement.text).lstrip("-• ").strip()
    if any(True for _ in quotations(text, sources.verbatim)) or _counts(text):
        return not _is_name_of_paper(statement.text, sources)
    if _UNSTATED.search(text) and _DENIES.search(text) and not _TURNS.search(text):
        return False
    if cited:
        return True
    words = content(text)
    if not words or _is_name_of_paper(statement.text, sources):
        return False
    if statement.kind is Kind.HEADING:
        return len(words) > 9
    if _QUESTION.match(text) or (_OFFER.match(text) and not _claims_on(text)):
        return False
    if _LEAD_IN.match(text) and not _THAT.search(text):
        return False
    if text.endswith((":", ":**")) and not _THAT.search(text):
        return len(text.split()) > 12
    # A label, a greeting, a word of thanks.
    return not (len(words) <= 3 and len(text.split()) <= 5 and not _has_verb(text))


def _claims_on(text: str) -> bool:
    return bool(re.search(r"\b(?:that|because|which|since)\b|[;—]", text)) and bool(
        _THAT.search(text)
    )


def _has_verb(text: str) -> bool:
    return bool(
        re.search(
            r"\b(?:is|are|was|were|has|have|can|does|do|uses?|\w{3,}(?:s|ed))\b(?=\s+\w)", text
        )
    )


def _counts(text: str) -> bool:
    """Whether figures stand in it, other than how many papers there are."""
    for figure in numbers(text):
        after = text[figure.end :]
        if not re.match(
            r"\s*(?:\w+\s+)?(?:papers?|abstracts?|results?|works?|of them|matches|questions?|sentences|of these|more)\b",
            after,
            re.IGNORECASE,
        ) or figure.kinds != {"plain"}:
            return True
    return False


def _is_name_of_paper(text: str, sources: Sources) -> bool:
    """Whether the words are a title or a handle of a source, with hardly anything around them."""
    said = fold(text.lstrip("-• ")).text.strip(" .:")
    for handle, source in sources.by_handle.items():
        title = fold(source.paper.title).text.strip(" .")
        if said in {title, fold(handle).text, handle}:
            return True
        if title and title in said and len(said) <= len(title) + len(handle) + 6:
            return True
    return False


def problems(
    text: str, cited: tuple[Source, ...], sources: Sources, *, only_references: bool = False
) -> list[str]:
    """What a sentence says that the papers it cites do not, a phrase each."""
    plain, found = _references(text, cited, sources)
    if only_references:
        return found
    plain, more = _quotations(plain, cited, sources)
    found += more
    source = [sentence for one in cited for sentence in one.flat]
    found += _figures(plain, source, cited)
    found += _names(plain, cited)
    found += denials(plain, cited)
    found += [*misattributed(plain, cited), *turned_round(plain, cited), *fallen(plain, cited)]
    if wrong := _wrong_paper(plain, cited, sources):
        found.insert(0, wrong)
    return list(dict.fromkeys(found))


_URL = re.compile(r"https?://[^\s<>()\[\]\"']+|www\.[^\s<>()\[\]\"']+")
_DOI = re.compile(r"\b(?:doi:\s*)?10\.\d{4,9}/[^\s<>\[\]\"'),;]+", re.IGNORECASE)
_ARXIV = re.compile(
    r"\barxiv\s*:?\s*(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?|(?<![\d.])\d{4}\.\d{5}(?:v\d+)?(?![\d.])",
    re.IGNORECASE,
)
_NAME = r"(?!(?:In|On|At|By|The|From|Since|See|May|March|April|June|July|August|ICLR|ICML|NeurIPS|CVPR|ACL|EMNLP|AAAI)\b)[A-Z][^\W\d_]+(?:[-'][A-Z]?[^\W\d_]+)*"
_AUTHORS = re.compile(
    rf"\b(?P<first>{_NAME})(?:\s+(?:and|&)\s+{_NAME})?\s+(?:et al\.?|and colleagues|and others)(?:,?\s*\(?(?P<year>(?:19|20)\d\d)[a-z]?\)?)?"
    rf"|\b(?P<pair>{_NAME})\s+(?:and|&)\s+{_NAME},?\s*\((?P<pair_year>(?:19|20)\d\d)[a-z]?\)"
    rf"|\b(?P<one>{_NAME})\s+\((?P<one_year>(?:19|20)\d\d)[a-z]?\)"
    rf"|\((?P<inside>{_NAME})(?:\s+(?:and|&)\s+{_NAME})?,\s*(?P<inside_year>(?:19|20)\d\d)[a-z]?\)"
)


def _references(text: str, cited: tuple[Source, ...], sources: Sources) -> tuple[str, list[str]]:
    """The flat sentence without links, ids and author-year references, and those of no source."""
    found = []
    known = tuple(sources.by_handle.values())
    among = cited or known

    def link(match: re.Match[str]) -> str:
        address = match[0].rstrip(".,;:!?")
        if not any(_has_link(source, address) for source in among):
            found.append(f"{address} is no address or id of a cited paper")
        return " "

    for pattern in (_URL, _DOI, _ARXIV):
        text = pattern.sub(link, text)
    plain = flat(text)

    def authors(match: re.Match[str]) -> str:
        name = match["first"] or match["pair"] or match["one"] or match["inside"]
        year = match["year"] or match["pair_year"] or match["one_year"] or match["inside_year"]
        if not any(_wrote(source, name, year or "", match[0]) for source in among):
            found.append(f"“{match[0]}” is no reference to a cited paper")
        return " "

    return _AUTHORS.sub(authors, plain), found


def _has_link(source: Source, address: str) -> bool:
    bare = re.sub(r"^(?:https?://)?(?:www\.)?|/$", "", address).casefold()
    links = [
        re.sub(r"^(?:https?://)?(?:www\.)?|/$", "", link).casefold() for link in source.paper.links
    ]
    if bare in links or bare in source.paper.abstract.casefold():
        return True
    known = canonical_id(address)
    return known is not None and (
        known == source.paper.id or known in {canonical_id(link) for link in source.paper.links}
    )


def _wrote(source: Source, name: str, year: str, reference: str) -> bool:
    paper = source.paper
    if fold(reference).text in source.named:
        return True
    families = {fold(family_name(author)).text for author in paper.authors}
    dated = not year or not paper.published or paper.published.startswith(year)
    return fold(name).text in families and dated


def _quotations(plain: str, cited: tuple[Source, ...], sources: Sources) -> tuple[str, list[str]]:
    """The sentence without what it quotes rightly, and what it quotes wrongly."""
    found, rest, end = [], "", 0
    for quotation in quotations(
        plain, lambda inner: any(s.says(folded_quote(inner)) for s in cited)
    ):
        quote = folded_quote(quotation.inner)
        rest += plain[end : quotation.start]
        end = quotation.end
        if not quote or any(source.says(quote) for source in cited):
            # A figure alone in quotation marks is still a figure.
            rest += quotation.inner if len(quote.split()) < 4 else " "
            continue
        owner = next((h for h, s in sources.by_handle.items() if s.says(quote)), "")
        shown = quotation.inner if len(quotation.inner) < 60 else quotation.inner[:57] + "…"
        found.append(
            f"“{shown}” is quoted from {owner}, which it does not cite"
            if owner
            else f"“{shown}” is in quotation marks but not in the cited abstract"
        )
        rest += " "
    return rest + plain[end:], found


def _figures(plain: str, source: list[str], cited: tuple[Source, ...]) -> Iterator[str]:
    years = {one.paper.published[:4] for one in cited} | {
        year for one in cited for year in re.findall(r"\b(?:19|20)\d\d\b", one.paper.venue)
    }
    for figure in numbers(plain):
        after = plain[figure.end :]
        counts_papers = re.match(
            r"\s*(?:\w+\s+)?(?:papers|works|studies|methods|approaches|abstracts)\b", after
        )
        if figure.text in years or (counts_papers and figure.value == len(cited) > 1):
            continue
        if reason := mismatch(plain, figure, source):
            yield reason


def _names(plain: str, cited: tuple[Source, ...]) -> Iterator[str]:
    for name in dict.fromkeys([*names(plain), *proper(plain)]):
        if not any(_knows(source, name) for source in cited):
            yield f"{name} is not in the cited abstract"


def _knows(source: Source, name: str) -> bool:
    folded = fold(name).text
    named = source.named
    forms = {folded, folded.removesuffix("s"), folded.removesuffix("-based")}
    if any(
        re.search(rf"(?<![^\W_]){re.escape(form)}(?:s|es)?(?![^\W_])", named)
        for form in forms
        if form
    ):
        return True
    squeezed = folded.replace("-", "").replace(" ", "")
    spaced = r"[\s-]?".join(map(re.escape, squeezed))
    if len(squeezed) > 3 and re.search(rf"(?<![^\W_]){spaced}(?![^\W_])", named):
        return True
    if size := re.fullmatch(r"(\d+)[x×](\d+)", name):
        return all(re.search(rf"(?<!\d){side}(?!\d)", named) for side in size.groups())
    letters = squeezed.removesuffix("s")
    if letters.isalpha() and (letters in source.initials or squeezed in source.initials):
        return True
    if (meant := SPELT_OUT.get(letters)) and meant in named:
        return True
    # `BERT-based`, `CLIP/DINO`: each part by itself.
    parts = [part for part in re.split(r"[-/.]", name) if part]
    if len(parts) > 1:
        return all(
            _knows(source, p) for p in parts if any(names(p)) or p[0].isupper() or p.isdigit()
        )
    return name[0].isupper() and name[1:].islower() and _stemmed(name, source)


def _stemmed(name: str, source: Source) -> bool:
    return stem(name) in source.all_stems or bool(
        re.search(rf"(?<![^\W_]){re.escape(fold(name).text[:5])}", source.named)
    )


def _wrong_paper(plain: str, cited: tuple[Source, ...], sources: Sources) -> str:
    """That another source says this, or none does; "" where a cited one may."""
    said = {word.stem for word in content(plain)}
    if len(said) < 3:
        return ""
    spread = {
        key: sum(key in source.all_stems for source in sources.by_handle.values()) for key in said
    }
    weights = {
        key: (0.2 if key in GENERIC else 1.0) / (1 + max(0, spread[key] - 1)) for key in said
    }
    total = sum(weights.values())

    def share(of: tuple[Source, ...]) -> float:
        stems = frozenset().union(*(source.all_stems | _handle_stems(source) for source in of))
        return sum(weight for key, weight in weights.items() if key in stems) / total

    mine = share(cited)
    others = {h: share((s,)) for h, s in sources.by_handle.items() if s not in cited}
    best = max(others, key=lambda handle: others[handle], default="")
    figures = numbers(plain)
    given = [other for one in cited for text in one.flat for other in numbers(text)]
    if figures and all(any(equal(figure, other) for other in given) for figure in figures):
        return ""
    if best and others[best] >= 0.45 and others[best] - mine >= 0.2:
        return f"it cites the wrong paper; [{best}] says this"
    return "the cited abstract does not say this" if mine < 0.2 else ""


def _handle_stems(source: Source) -> frozenset[str]:
    return frozenset({source.paper.handle.casefold()})
