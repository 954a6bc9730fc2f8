"""Random novels, and each of them written in every format that is read."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from hypothesis import strategies as st

from tests.books.hostile.carriers import PROSE, document, docx, epub, package, page
from tests.books.hostile.zips import entry

_SAMPLE = (
    "harbour tide Anna Zoë naïve don’t rained boat quay Mr. Ōe said and and the the of to she he it was "
    "3 café twenty-one grey (perhaps) — *not* _ever_ & < > [then] # | ~ ' \\ “Yes,” ‘No,’ 雨 море"
)
_WORDS = tuple(_SAMPLE.split())
_ENDS = (".", "!", "?", ".”", "…", "—")
_NUMBERS = ("One", "Two", "Three", "Four", "Five", "Six")
_ROMANS = ("I", "II", "III", "IV", "V", "VI")


@dataclass(frozen=True, slots=True)
class Chapter:
    heading: str
    paragraphs: tuple[tuple[str, ...], ...]
    """The lines of each paragraph: one for prose."""


@dataclass(frozen=True, slots=True)
class Novel:
    title: str
    chapters: tuple[Chapter, ...]


def _sentences() -> st.SearchStrategy[str]:
    word = st.one_of(
        st.sampled_from(_WORDS),
        st.text(
            st.characters(categories=("L", "M", "Nd", "P", "S"), exclude_characters="\ufffe"), min_size=1
        ),
    )
    plain = st.lists(st.sampled_from(_WORDS), min_size=6, max_size=30)
    wild = st.lists(word, min_size=6, max_size=20)
    return st.builds(
        lambda words, end: f"Then {' '.join(words)} so{end}", plain | wild, st.sampled_from(_ENDS)
    )


def _prose() -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(_sentences(), min_size=1, max_size=6).map(lambda said: (" ".join(said),))


def _verse() -> st.SearchStrategy[tuple[str, ...]]:
    words = st.lists(st.sampled_from(_WORDS[:12]), min_size=3, max_size=6)
    return st.lists(words.map(lambda w: f"The {' '.join(w)},"), min_size=3, max_size=6).map(tuple)


_STYLES = (
    lambda n: f"Chapter {n + 1}",
    lambda n: f"CHAPTER {_ROMANS[n]}.",
    lambda n: f"Chapter {_NUMBERS[n]}: The Quay",
    lambda n: _ROMANS[n],
    lambda n: f"{n + 1}. The Black Bird",
    lambda n: f"The Tide of {_NUMBERS[n]}",
)


@st.composite
def novels(draw: st.DrawFn, *, chapters: int = 1) -> Novel:
    """Generate a novel; each chapter begins with more words than an entry of a table of contents has."""
    style = draw(st.sampled_from(_STYLES))
    told = st.lists(st.one_of(_prose(), _prose(), _verse()), min_size=1, max_size=6).map(tuple)
    drawn = draw(st.lists(told, min_size=chapters, max_size=len(_ROMANS)))
    title = draw(st.sampled_from(("The Quay", "雨 & <Rain>", "A. Hand’s Tide")))
    return Novel(title, tuple(Chapter(style(n), ((PROSE.strip(),), *told)) for n, told in enumerate(drawn)))


def as_text(novel: Novel) -> bytes:
    parts = [novel.title]
    for chapter in novel.chapters:
        parts += [chapter.heading, *("\n".join(lines) for lines in chapter.paragraphs)]
    return "\n\n".join(parts).encode()


def as_markdown(novel: Novel) -> bytes:
    parts = [f"---\ntitle: '{novel.title}'\n---"]
    for chapter in novel.chapters:
        parts += [f"# {chapter.heading}", *("  \n".join(lines) for lines in chapter.paragraphs)]
    return "\n\n".join(parts).encode()


def _body(chapter: Chapter) -> str:
    paragraphs = ("<br/>".join(map(escape, lines)) for lines in chapter.paragraphs)
    return f"<h1>{escape(chapter.heading)}</h1>" + "".join(f"<p>{text}</p>" for text in paragraphs)


def as_html(novel: Novel) -> bytes:
    body = "".join(map(_body, novel.chapters))
    title = f"<title>{escape(novel.title)}</title>"
    return f"<!DOCTYPE html><html lang='en'><head>{title}</head><body>{body}</body></html>".encode()


def as_epub(novel: Novel) -> bytes:
    files = {f"c{n}.xhtml": page(_body(chapter)) for n, chapter in enumerate(novel.chapters)}
    entries = "".join(
        f'<li><a href="c{n}.xhtml">{escape(chapter.heading)}</a></li>'
        for n, chapter in enumerate(novel.chapters)
    )
    space = 'xmlns:epub="http://www.idpf.org/2007/ops"'
    nav = page(f'<nav {space} epub:type="toc"><ol>{entries}</ol></nav>').encode()
    item = '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest>'
    opf = package(list(files), title=escape(novel.title)).replace("</manifest>", item)
    return epub(files, opf=opf, extra=[entry("OEBPS/nav.xhtml", nav)])


def as_docx(novel: Novel) -> bytes:
    parts: list[str] = []
    for chapter in novel.chapters:
        parts.append(_styled("Heading1", escape(chapter.heading)))
        for lines in chapter.paragraphs:
            text = "</w:t><w:br/><w:t>".join(map(escape, lines))
            parts.append(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
    return docx(document("".join(parts)))


def _styled(style: str, text: str) -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'


FORMATS = {"text": as_text, "markdown": as_markdown, "html": as_html, "epub": as_epub, "docx": as_docx}
