"""Ways to spoil a good example: bytes, JSON and XML as nobody should send them."""

from __future__ import annotations

import copy
import json
from typing import Any
from xml.etree import ElementTree as ET

from hypothesis import strategies as st

Draw = st.DrawFn

# All characters, lone surrogates and controls among them.
ANY_TEXT = st.text(st.characters(), max_size=40)
# What readers look for, so that chance need not find it.
TELLING = st.sampled_from(
    "10.1000/a\u0000b|doi:10.1000/%00|s2:\u0007x|openreview:a\nb|arxiv:\u0662106.01345|arXiv:2106.01345v0"
    "|https://arxiv.org/abs/2106.01345v2\u0000|https://[::1|http://x.org/\ud800|\ud83d|text:0123456789ab"
    "|%E0%A4%A|{|}|${|\\'|$$|\\(|@|#|]]>|&#0;|&lt;b&gt;|\u0000|\u2028|\u202e|\u200b|\ufeff|and|et al.|, , ,|;|||"
    "2024-13-45|31 Feb 2024|0000-00-00|999999999999|-1|1e999|NaN|null|true|TY  - JOUR|ER  - |\nPMID- 1"
    "|this paper has been withdrawn|Retracted:|\u0130|\u00b2|\u0660".split("|")
)


@st.composite
def bent_bytes(draw: Draw, whole: bytes) -> bytes:
    """An example that was cut, doubled, swapped or flipped, up to four times."""
    body = bytearray(whole)
    for _ in range(draw(st.integers(1, 4))):
        start, end = sorted((draw(st.integers(0, len(body))), draw(st.integers(0, len(body)))))
        piece = bytes(body[start:end])
        match draw(st.sampled_from(("cut", "double", "swap", "flip", "put", "end"))):
            case "cut":
                del body[start:end]
            case "double":
                body[end:end] = piece[:400]
            case "swap":
                half = len(piece) // 2
                body[start:end] = piece[half:] + piece[:half]
            case "flip" if start < len(body):
                body[start] ^= 1 << draw(st.integers(0, 7))
            case "put":
                put = draw(st.binary(max_size=8) | _encoded(TELLING))
                body[start:start] = put
            case "end":
                del body[end:]
    return bytes(body)


def _encoded(texts: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    return texts.map(lambda text: text.encode("utf-8", "surrogatepass"))


def any_bytes() -> st.SearchStrategy[bytes]:
    """Bytes that follow no form at all."""
    return st.binary(max_size=200) | _encoded(ANY_TEXT) | st.lists(TELLING, max_size=12).map(
        "\n".join
    ).map(lambda text: text.encode("utf-8", "surrogatepass"))  # fmt: skip


@st.composite
def bent_json(draw: Draw, whole: Any) -> bytes:
    """An example with values of the wrong kind, missing, doubled, or one in another's place."""
    value = copy.deepcopy(whole)
    for _ in range(draw(st.integers(1, 4))):
        value = _bent_value(draw, value, _keys(whole))
    escaped = draw(st.booleans())
    return json.dumps(value, ensure_ascii=escaped).encode("utf-8", "surrogatepass")


def _keys(value: Any) -> list[str]:
    found: dict[str, None] = {}
    for path in _paths(value):
        if path and isinstance(path[-1], str):
            found[path[-1]] = None
    return list(found) or ["x"]


def _paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(
        value, list) else ()  # fmt: skip
    return [at, *(path for key, one in inner for path in _paths(one, (*at, key)))]


def _anything(keys: list[str]) -> st.SearchStrategy[Any]:
    return st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT | TELLING
        | st.sampled_from([10**17, -(10**17), 10**400, "9" * 5000, 1e308, float("nan"), 2024]),
        lambda inner: st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(keys) | ANY_TEXT, inner, max_size=3),
        max_leaves=6,
    )  # fmt: skip


def _bent_value(draw: Draw, value: Any, keys: list[str]) -> Any:
    path = draw(st.sampled_from(_paths(value)))
    anything = _anything(keys)
    if not path:
        return draw(st.sampled_from([[value], {"value": value}, value, value]) | anything)
    holder = value
    for key in path[:-1]:
        holder = holder[key]
    last = path[-1]
    match draw(st.sampled_from(("replace", "text", "drop", "wrap", "double", "rename"))):
        case "replace":
            holder[last] = draw(anything)
        case "text":
            holder[last] = draw(TELLING | ANY_TEXT)
        case "drop":
            del holder[last]
        case "wrap":
            holder[last] = draw(st.sampled_from([[holder[last]], {"value": holder[last]}]))
        case "double":
            holder[last] = [copy.deepcopy(holder[last]), copy.deepcopy(holder[last])]
        case "rename" if isinstance(holder, dict):
            holder[draw(st.sampled_from(keys))] = holder.pop(last)
    return value


# What XML can hold: http://www.w3.org/TR/xml/#charsets
_XML_TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff").filter(
        lambda c: c >= " " or c in "\t\n\r"
    ),
    max_size=40,
)
_XML_TELLING = TELLING.filter(lambda text: all(" " <= c < "\ud800" or c in "\t\n" for c in text))


@st.composite
def bent_xml(draw: Draw, whole: bytes) -> bytes:
    """An example whose elements are missing, doubled, nested, renamed, moved or filled anew."""
    root = ET.fromstring(whole)  # noqa: S314 - our own words
    for _ in range(draw(st.integers(1, 4))):
        _bend_element(draw, root)
    return ET.tostring(root, encoding="utf-8", xml_declaration=draw(st.booleans()))


def _bend_element(draw: Draw, root: ET.Element) -> None:
    everywhere = [(parent, child) for parent in root.iter() for child in parent]
    texts = _XML_TEXT | _XML_TELLING
    if not everywhere:
        root.text = draw(texts)
        return
    parent, child = draw(st.sampled_from(everywhere))
    match draw(st.sampled_from(("drop", "double", "nest", "move", "rename", "text", "attribute"))):
        case "drop":
            parent.remove(child)
        case "double":
            parent.append(copy.deepcopy(child))
        case "nest":
            child.insert(0, copy.deepcopy(child))
        case "move":
            other = draw(st.sampled_from(everywhere))[1]
            other.append(copy.deepcopy(child))
        case "rename":
            child.tag = draw(st.sampled_from(everywhere))[1].tag
        case "text":
            child.text = draw(texts)
            child.tail = draw(texts)
        case "attribute":
            for name in [*child.attrib, "status", "term", "version", "code"]:
                child.set(name, draw(texts))
