"""Accents become letters, mathematics stays, and nothing is lost."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.text.tex import clean, readable


@pytest.mark.parametrize(
    ("raw", "stored"),
    [
        ("On L\\'evy flights\n in $\\alpha$-stable \\foobar media", "On Lévy flights in $\\alpha$-stable \\foobar media"),
        ("We see a 12% drop; recall rises by 3% (n=40).", "We see a 12% drop; recall rises by 3% (n=40)."),
        (r"na\"{\i}ve, na{\"\i}ve, na\"ive", "naïve, naïve, naïve"),
        (r"{\'E}cole, Schr\"{o}dinger, Schr{\"o}dinger, Erd\H{o}s", "École, Schrödinger, Schrödinger, Erdős"),
        (r"Fran\c{c}ois, Ko\v sice, \v{S}umava, {\L}ukasz, S{\o}ren, Stra{\ss}e", "François, Košice, Šumava, Łukasz, Søren, Straße"),
        ("eﬃcient ﬁne-tuning of ﬂows", "efficient fine-tuning of flows"),
        ("e\u0301tude", "étude"),
        ("zero\u200bwidth, soft\u00adhyphen, \ufeffBOM, bell\x07, lone \ud800 surrogate", "zerowidth, softhyphen, BOM, bell, lone surrogate"),
        ("two\n\nlines\tand\u00a0blanks ", "two lines and blanks"),
    ],
)  # fmt: skip
def test_the_stored_text_reads_as_its_authors_meant_it(raw: str, stored: str) -> None:
    assert clean(raw) == stored


@pytest.mark.parametrize(
    "raw",
    [
        r"10.7\% of \textsc{ZeroGR} and **bold** \foobar{x} \cite{a}",
        r"$\tilde{O}(\sqrt{n})$ and $x^{\'e}$",
        r"(\r{ho} = 0.34), \b{eta}-chain, named \b geometric, curvature \k{appa}",
        r"the model\'s outputs are \"unsure\" and don\'t change",
        "5% of 100%, 3 % and 50%.",
        "costs $5 to $10",
    ],
)
def test_mathematics_unknown_macros_and_markdown_stay(raw: str) -> None:
    assert clean(raw) == raw


@given(st.text(max_size=300))
def test_cleaning_twice_changes_nothing_and_the_text_is_one_tidy_line(raw: str) -> None:
    once = clean(raw)
    assert clean(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert once == " ".join(once.split())
    once.encode("utf-8")


@given(st.text(alphabet=st.sampled_from("abcé %$\\&_^~{}'\".,1\n*"), max_size=200))
def test_no_letter_or_figure_is_lost(raw: str) -> None:
    def kept(text: str) -> str:
        # `\\a`, `\\b` and `\\c` may themselves be accents.
        return "".join(c for c in unicodedata.normalize("NFD", text) if c in "e1")

    assert kept(clean(raw)) == kept(raw)


def test_no_abstract_loses_a_fifth_of_its_length() -> None:
    raw = (
        'We gain 12% over na\\"{\\i}ve baselines % not a comment\nand 3\\% more on $\\ell_2$ loss. '
        * 20
    )
    assert len(clean(raw)) >= 0.8 * len(raw)


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        (r"**6.92$\times$** faster", "6.92× faster"),
        (r"an average 10.7\% gain", "an average 10.7% gain"),
        (r"\textsc{ZeroGR} and \textbf{\emph{bold}}", "ZeroGR and bold"),
        (r"when $p \gg dn$, $k$ of $n$", "when p ≫ dn, k of n"),
        (r"costs $5 to $10 and $O(n^2)$", "costs $5 to $10 and O(n²)"),
        ("between $1,000 and $2,000 a day", "between $1,000 and $2,000 a day"),
        ("https://a.b/c_d_e?x=*y* and snake_case_name stay", "https://a.b/c_d_e?x=*y* and snake_case_name stay"),
        ("models *memorize* a *law of data reconstruction*", "models memorize a law of data reconstruction"),
        ("**C**urvature-**G**uided **P**olicy **O**ptimization (**CGPO**)", "Curvature-Guided Policy Optimization (CGPO)"),
        ("A* search and D* Lite, RRT* too", "A* search and D* Lite, RRT* too"),
        (r"$\mathcal{\tilde{O}}(\sqrt{T})$", "Õ(√T)"),
        (r"$x_{i}^{2}$, $\mathbb{R}^d$, $10^{-3}$, $\ell_2$, $V_{\text{leaf}}$", "xᵢ², ℝᵈ, 10⁻³, ℓ₂, V_leaf"),
        (r"\(\Delta\)Conv at $360^\circ$", "ΔConv at 360°"),
        (r"26.8\%~$\rightarrow$~56.3\% in Fig.~3 of ~8B", "26.8% → 56.3% in Fig. 3 of ~8B"),
        ("[https://x.y/Z](https://x.y/Z) or [code](https://x.y)", "https://x.y/Z or code (https://x.y)"),
        (r"\href{https://x.y}{our page}, \url{https://z.w}", "our page (https://x.y), https://z.w"),
        ("models---standard and 2--3", "models—standard and 2–3"),
    ],
)  # fmt: skip
def test_the_shown_text_is_free_of_markup(stored: str, shown: str) -> None:
    assert readable(stored) == shown


@pytest.mark.parametrize(
    "hard", [r"$\begin{cases} a & b \end{cases}$", r"\foobar{x}", r"\cite{smith}", "$\\weird{x}$"]
)
def test_what_is_not_simple_is_shown_as_it_is(hard: str) -> None:
    assert readable(hard) == hard


@given(st.text(alphabet=st.sampled_from("ab1 $\\{}_^*~`[]()%&-,.\ue000\ue001"), max_size=120))
def test_showing_never_fails(text: str) -> None:
    assert isinstance(readable(text), str)


@given(
    st.text(
        alphabet=st.characters(
            categories=["Lu", "Ll", "Nd", "Po", "Zs"], exclude_characters="*\\%&#"
        ),
        max_size=200,
    )
)
def test_plain_words_are_shown_as_they_are(text: str) -> None:
    assert readable(text) == text
