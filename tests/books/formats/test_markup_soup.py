"""Random tag soup: no word is lost, and blocks and exclusions are valid."""

from __future__ import annotations

import random

import pytest

from books.errors import EmptyBook
from books.limits import Limits
from books.reading import extract
from books.source import Source
from tests.books.formats.making import Toc, epub, page

_TAGS = [
    "p",
    "div",
    "span",
    "a",
    "b",
    "i",
    "h2",
    "pre",
    "table",
    "tr",
    "td",
    "ul",
    "li",
    "sup",
    "section",
    "aside",
    "blockquote",
    "ruby",
    "nav",
    "figure",
    "figcaption",
    "em",
]
_SINGLE = ("<br/>", "<hr/>", '<img alt="T"/>', '<a id="x2"/>')
_ATTRIBUTES = (
    *("", "", ' class="pagenum"', ' class="poem"', ' class="stanza"', ' class="line"', ' class="footnote"'),
    *(' class="chapter"', ' id="x1"', ' href="#x1"', ' epub:type="noteref" href="#x2"', ' class="toc"'),
    *(' epub:type="frontmatter"', ' epub:type="chapter"', ' class="pagebreak"'),
)
_BETWEEN = (" ", "\n", "&nbsp;", "\t", "\n\n", "", "&mdash;", "\u3000")


def _soup(rng: random.Random) -> tuple[str, list[str]]:
    pieces: list[str] = []
    words: list[str] = []
    opened: list[str] = []
    for number in range(rng.randint(3, 50)):
        kind = rng.random()
        if kind < 0.35:
            opened.append(rng.choice(_TAGS))
            pieces.append(f"<{opened[-1]}{rng.choice(_ATTRIBUTES)}>")
        elif kind < 0.55 and opened:
            pieces.append(f"</{opened.pop()}>")
        elif kind < 0.6:
            pieces.append(rng.choice((*_SINGLE, f"</{rng.choice(_TAGS)}>")))
        else:
            words.append(f"w{number}w")
            pieces.append(rng.choice(_BETWEEN) + words[-1] + rng.choice(_BETWEEN))
    if rng.random() < 0.6:
        pieces += [f"</{tag}>" for tag in reversed(opened)]
    return "".join(pieces), words


def test_soup_is_read_whole() -> None:
    for seed in range(100):
        read_whole(seed)


@pytest.mark.soak
def test_much_soup_is_read_whole() -> None:
    for seed in range(100, 3000):
        read_whole(seed)


def read_whole(seed: int) -> None:
    body, words = _soup(random.Random(seed))
    contents = [Toc("A", "a.xhtml#x1"), Toc("B", "b.xhtml")]
    pages = {"a.xhtml": page(body), "b.xhtml": page("<p>end</p>")}
    for data in (epub(pages, ncx=contents), f"<html><body>{body}</body></html>".encode()):
        try:
            source = extract(data, encoding=None, limits=Limits())
        except EmptyBook:
            assert not words, seed
            continue
        assert not [word for word in words if word not in source.text], seed
        _lawful(source)


def _lawful(source: Source) -> None:
    reached = 0
    assert source.blocks is not None
    for block in source.blocks:
        assert not source.text[reached : block.span.start].strip()
        assert block.text
        assert block.text == block.text.strip()
        reached = block.span.end
    assert reached == len(source.text)
    marked = 0
    for exclusion in source.excluded:
        assert marked <= exclusion.span.start < exclusion.span.end
        assert any(block.span.covers(exclusion.span) for block in source.blocks)
        marked = exclusion.span.end
    starts = {block.span.start for block in source.blocks}
    assert {anchor.offset for anchor in source.anchors} <= starts
