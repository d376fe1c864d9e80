"""Mathematics inside prose: where it is, and simple formulas as Unicode."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_DELIMITER = re.compile(r"(?<!\\)\$\$?|\\\(|\\\[")
_CLOSING = {r"\(": r"\)", r"\[": r"\]"}
_PRICE = re.compile(r"\d[\d.,]*\s*(?:[kKMB]|million|billion|per|/)?(?:\s|[-–—]?$)")
_LONGEST = 600


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each formula with its delimiters; `$5 to $10` are prices."""
    place = 0
    while opening := _DELIMITER.search(text, place):
        mark = opening[0]
        if mark in _CLOSING:
            end = text.find(_CLOSING[mark], opening.end())
            end = end + 2 if end >= 0 else -1
        else:
            end = _dollar_end(text, opening.end(), mark)
        if end < 0 or end - opening.start() > _LONGEST:
            place = opening.start() + 1 if mark == "$$" else opening.end()
        else:
            yield opening.start(), end
            place = end


def _dollar_end(text: str, start: int, mark: str) -> int:
    closing = re.compile(r"(?<!\\)" + re.escape(mark)).search(text, start)
    if not closing:
        return -1
    content = text[start : closing.start()]
    after = text[closing.end() : closing.end() + 1]
    if not content.strip() or "\n\n" in content:
        return -1
    if (
        "\\" not in content
        and _PRICE.match(content)
        and (after.isdigit() or content[-1:].isspace())
    ):
        return -1
    formula = re.search(r"[\\^_={}<>|+*]", content)
    if not formula and (content[:1].isspace() or content[-1:].isspace() or content.count(" ") > 6):
        return -1
    return closing.end()


_SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε",
    "zeta": "ζ", "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "varrho": "ρ",
    "sigma": "σ", "varsigma": "ς", "tau": "τ", "upsilon": "υ", "phi": "φ", "varphi": "φ",
    "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
    "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω", "ell": "ℓ", "hbar": "ℏ", "nabla": "∇", "partial": "∂", "infty": "∞",
    "emptyset": "∅", "varnothing": "∅", "forall": "∀", "exists": "∃", "neg": "¬", "times": "×",
    "cdot": "·", "div": "÷", "pm": "±", "mp": "∓", "ast": "*", "star": "*", "circ": "°",
    "bullet": "•", "oplus": "⊕", "otimes": "⊗", "odot": "⊙", "le": "≤", "leq": "≤",
    "leqslant": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥", "ll": "≪", "gg": "≫", "ne": "≠",
    "neq": "≠", "approx": "≈", "sim": "~", "simeq": "≃", "cong": "≅", "equiv": "≡",
    "propto": "∝", "asymp": "≍", "prec": "≺", "succ": "≻", "preceq": "⪯", "succeq": "⪰",
    "lesssim": "≲", "gtrsim": "≳", "subset": "⊂", "subseteq": "⊆", "supset": "⊃",
    "supseteq": "⊇", "in": "∈", "notin": "∉", "ni": "∋", "cup": "∪", "cap": "∩",
    "setminus": "∖", "wedge": "∧", "land": "∧", "vee": "∨", "lor": "∨", "to": "→",
    "rightarrow": "→", "longrightarrow": "→", "leftarrow": "←", "gets": "←",
    "leftrightarrow": "↔", "Rightarrow": "⇒", "implies": "⇒", "Leftarrow": "⇐",
    "Leftrightarrow": "⇔", "iff": "⇔", "uparrow": "↑", "downarrow": "↓", "mapsto": "↦",
    "nearrow": "↗", "searrow": "↘", "langle": "⟨", "rangle": "⟩", "lceil": "⌈", "rceil": "⌉",
    "lfloor": "⌊", "rfloor": "⌋", "lVert": "‖", "rVert": "‖", "Vert": "‖", "|": "‖",
    "lvert": "|", "rvert": "|", "vert": "|", "mid": "|", "parallel": "∥", "perp": "⊥",
    "bot": "⊥", "top": "⊤", "sum": "∑", "prod": "∏", "int": "∫", "dots": "…", "ldots": "…",
    "cdots": "⋯", "prime": "′", "dagger": "†", "deg": "°", "checkmark": "✓", "triangle": "△",
    "square": "□", "Box": "□", "diamond": "⋄", "textperthousand": "‰", "colon": ":",
    "lbrace": "{", "rbrace": "}", "backslash": "\\",
    "%": "%", "&": "&", "_": "_", "#": "#", "$": "$", "{": "{", "}": "}",
}  # fmt: skip
WORDS = {
    "ie": "i.e.", "eg": "e.g.", "etal": "et al.", "etc": "etc.", "textasciitilde": "~",
    "textendash": "–", "textemdash": "—", "texttimes": "×", "textpm": "±", "textdegree": "°",
    "textbackslash": "\\", "textunderscore": "_", "textquoteright": "’", "textregistered": "®",
    "texttrademark": "™",
}  # fmt: skip
"""Macros that are no mathematics and stand for signs or abbreviations."""
_FUNCTIONS = frozenset(
    {"log", "ln", "exp", "min", "max", "sup", "inf", "lim", "arg", "argmin", "argmax", "det"}
    | {"sin", "cos", "tan", "tanh", "sinh", "cosh", "dim", "ker", "Pr", "gcd", "deg", "poly"}
)
_BLANKS = {
    ",": "\u2009",
    ";": " ",
    ":": " ",
    "!": "",
    " ": " ",
    "quad": " ",
    "qquad": " ",
    "space": " ",
}
_DROPPED = frozenset(
    {"left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "bigg", "Bigg", "displaystyle"}
    | {
        "limits",
        "rm",
        "bf",
        "it",
        "tt",
        "sf",
        "mathord",
        "mathrel",
        "mathbin",
        "textstyle",
        "small",
    }
)
_STYLES = frozenset(
    {
        "text",
        "textbf",
        "textit",
        "textrm",
        "texttt",
        "textsc",
        "textsf",
        "textnormal",
        "emph",
        "mbox",
    }
    | {"mathrm", "mathbf", "mathit", "mathtt", "mathsf", "mathcal", "mathscr", "mathfrak", "bm"}
    | {"boldsymbol", "operatorname", "underline", "pmb", "hbox", "mathop", "ensuremath"}
)
_OVER = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303",
    "bar": "\u0304", "overline": "\u0305", "dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7",
}  # fmt: skip
_BOARD = dict(zip("CEHNPQRZ", "ℂ𝔼ℍℕℙℚℝℤ", strict=True))
_SUPER = dict(
    zip("0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW′*°⊤",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ′*°ᵀ", strict=True)
)  # fmt: skip
_SUB = dict(
    zip(
        "0123456789+-=()aehijklmnoprstuvxβγρφχ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
        strict=True,
    )
)
_TOKEN = re.compile(r"\\([A-Za-z]+)\*?|\\(.)|(.)", re.DOTALL)


def symbol(name: str) -> str | None:
    """The sign that the macro `\\name` stands for in running text, or None."""
    return WORDS.get(name) or (
        _SYMBOLS.get(name) if name not in {"in", "to", "top", "star"} else None
    )


class _TooHard(ValueError):
    """What plain text cannot show."""


def to_unicode(formula: str) -> str | None:
    """A formula without its delimiters as Unicode, or None where it is not simple enough."""
    # JSON escapes often double the backslash of a macro.
    formula = re.sub(r"\\\\(?=[A-Za-z%{}|])", r"\\", formula)
    try:
        text, rest = _group(formula, 0, "")
    except (_TooHard, RecursionError):
        return None
    return " ".join(text.split()) if rest == len(formula) and "\\" not in text else None


def _group(text: str, place: int, closing: str) -> tuple[str, int]:
    """Everything up to `closing`, converted, and the place after it."""
    out = ""
    while place < len(text):
        if text[place] == closing:
            return out, place + 1
        if text[place] == "}":
            raise _TooHard
        piece, place = _atom(text, place)
        out += piece
    if closing:
        raise _TooHard
    return out, place


def _atom(text: str, place: int) -> tuple[str, int]:
    token = _TOKEN.match(text, place)
    if not token:
        raise _TooHard
    name, place = token[1] or token[2], token.end()
    if name:
        return _macro(name, text, place)
    sign = token[3]
    if sign == "{":
        return _group(text, place, "}")
    if sign in "^_":
        argument, place = _argument(text, place)
        return _script(sign, argument), place
    if sign == "&":
        raise _TooHard
    return {"~": " ", "-": "-", "'": "′"}.get(sign, sign), place


def _macro(name: str, text: str, place: int) -> tuple[str, int]:
    if name in _FUNCTIONS:
        glued = text[place : place + 1].isalnum()
        return name + (" " if glued else ""), place
    if name in _SYMBOLS:
        return _SYMBOLS[name], place
    if name in WORDS:
        return WORDS[name], place
    if name in _BLANKS:
        return _BLANKS[name], place
    if name in _DROPPED:
        # `\right.` closes nothing.
        return "", place + (name in {"left", "right"} and text[place : place + 1] == ".")
    if name in _STYLES:
        return _argument(text, place)
    if name == "mathbb":
        letter, place = _argument(text, place)
        return "".join(_BOARD.get(c, c) for c in letter), place
    if name in _OVER:
        base, place = _argument(text, place)
        if len(base) != 1:
            raise _TooHard
        return unicodedata.normalize("NFC", base + _OVER[name]), place
    if name in {"frac", "tfrac", "dfrac"}:
        above, place = _argument(text, place)
        below, place = _argument(text, place)
        return f"{_bracketed(above)}/{_bracketed(below)}", place
    if name == "sqrt":
        inner, place = _argument(text, place)
        return f"√{_bracketed(inner)}", place
    raise _TooHard


def _argument(text: str, place: int) -> tuple[str, int]:
    while text[place : place + 1] == " ":
        place += 1
    if place >= len(text) or text[place] in "}^_":
        raise _TooHard
    return _atom(text, place)


def _bracketed(text: str) -> str:
    return text if re.fullmatch(r"[\w.]+|[^\w\s]?\w|\([^()]*\)", text) else f"({text})"


def _script(sign: str, argument: str) -> str:
    argument = argument.strip()
    table = _SUPER if sign == "^" else _SUB
    if not argument or (sign == "^" and argument in {"°", "†"}):
        return argument
    if all(character in table for character in argument):
        return "".join(table[character] for character in argument)
    single = re.fullmatch(r"[\w.*′†]+", argument)
    return f"{sign}{argument}" if single else f"{sign}({argument})"
