"""Build the novella's plain text and gold files from its marked source.

``python -m evaluation.novella.build`` writes them; with ``--check`` it writes nothing and fails when a
built file differs from what the source says, which is how the tests keep the two together.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluation.novella import handmade
from evaluation.novella.markup import MarkupError, MentionSpan, ParsedMarkup, QuoteSpan, parse

HERE = Path(__file__).parent
TITLE = "Low Water at Wickersea"
AUTHOR = "The Bookworm Press"
_HEADING = re.compile(r"Chapter (\d+)\. (\S.*)")
_GAP = "\n\n\n"


@dataclass(frozen=True, slots=True)
class BuiltChapter:
    """One chapter's place in the whole text; ``index`` counts from 0."""

    index: int
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Built:
    """The chapters as one text, with every span moved to its offset in the whole text."""

    text: str
    chapters: tuple[BuiltChapter, ...]
    mentions: tuple[MentionSpan, ...]
    quotes: tuple[QuoteSpan, ...]

    def chapter_text(self, index: int) -> str:
        chapter = self.chapters[index]
        return self.text[chapter.start : chapter.end]

    def mention_chapters(self) -> list[int]:
        """Chapters, from 0, that have marked mentions; these are marked completely."""
        found = {
            chapter.index
            for chapter in self.chapters
            if any(chapter.start <= mention.start < chapter.end for mention in self.mentions)
        }
        return sorted(found)


def _check_quotes(parsed: ParsedMarkup, name: str) -> None:
    """Every quotation mark must lie in exactly one marked quote, at its edges or a paragraph's start."""
    for quote in parsed.quotes:
        words = parsed.text[quote.start : quote.end]
        if words[0] != "“" or words[-1] != "”" or "”" in words[:-1]:
            raise MarkupError(f"{name}: not one whole quote: {words[:60]!r}")
    inside = [range(quote.start, quote.end) for quote in parsed.quotes]
    for match in re.finditer('[“”"]', parsed.text):
        if not any(match.start() in span for span in inside):
            raise MarkupError(f"{name}: unmarked quotation mark at {parsed.text[match.start() :][:60]!r}")


def read_marked(folder: Path) -> list[ParsedMarkup]:
    """Parse the marked chapters in reading order."""
    parsed = []
    for path in sorted(folder.glob("[0-9][0-9].txt")):
        chapter = parse(path.read_text(encoding="utf-8").strip("\n"))
        _check_quotes(chapter, path.name)
        parsed.append(chapter)
    return parsed


def assemble(parsed: Sequence[ParsedMarkup]) -> Built:
    """Join the chapters under the title block and move their spans along."""
    text = f"{TITLE}\nby {AUTHOR}"
    starts, titles = [], []
    for number, chapter in enumerate(parsed, start=1):
        heading = _HEADING.fullmatch(chapter.text.split("\n", 1)[0])
        if heading is None or int(heading[1]) != number:
            raise MarkupError(f"chapter {number} does not begin with its heading")
        text += _GAP
        starts.append(len(text))
        titles.append(heading[2])
        text += chapter.text
    text += "\n"
    chapters = tuple(
        BuiltChapter(index, title, start, end)
        for index, (title, start, end) in enumerate(
            zip(titles, starts, [*starts[1:], len(text)], strict=True)
        )
    )
    shifted = list(zip(parsed, starts, strict=True))
    return Built(
        text,
        chapters,
        tuple(
            replace(m, start=m.start + by, end=m.end + by)
            for chapter, by in shifted
            for m in chapter.mentions
        ),
        tuple(
            replace(q, start=q.start + by, end=q.end + by) for chapter, by in shifted for q in chapter.quotes
        ),
    )


def marked_gold(built: Built) -> dict[str, object]:
    """The content of ``gold/annotations.json``."""
    return {
        "schema": "bookworm.annotations/1",
        "sha256": hashlib.sha256(built.text.encode("utf-8")).hexdigest(),
        "chapters": [
            {"index": c.index, "title": c.title, "start": c.start, "end": c.end} for c in built.chapters
        ],
        "mentions": [
            {"start": m.start, "end": m.end, "kind": m.kind, "character": m.character} for m in built.mentions
        ],
        "mention_chapters": built.mention_chapters(),
        "quotes": [
            {"start": q.start, "end": q.end, "speaker": q.speaker, "addressee": q.addressee}
            for q in built.quotes
            if q.speech
        ],
        "not_speech": [{"start": q.start, "end": q.end} for q in built.quotes if not q.speech],
    }


def _check_ids(built: Built, known: set[str]) -> None:
    used = {mention.character for mention in built.mentions}
    for quote in built.quotes:
        used.update(party for party in (quote.speaker, quote.addressee) if party)
    if unknown := sorted(used - known):
        raise MarkupError(f"the marked chapters name characters that characters.toml lacks: {unknown}")


def build(root: Path = HERE) -> dict[Path, str]:
    """Return the built files and their content, by path; raises when the source is inconsistent."""
    built = assemble(read_marked(root / "marked"))
    chapters = [(c.start, built.chapter_text(c.index)) for c in built.chapters]
    cast = handmade.characters(root / "handmade" / "characters.toml", chapters)
    known = {str(character["id"]) for character in cast}
    _check_ids(built, known)
    facts = handmade.facts(root / "handmade" / "facts.txt", chapters, known)
    references = handmade.references(root / "handmade" / "references.toml", known)
    gold: dict[str, dict[str, object]] = {
        "annotations.json": marked_gold(built),
        "characters.json": {"schema": "bookworm.novella.characters/1", "characters": cast},
        "facts.json": {"schema": "bookworm.novella.facts/1", "facts": facts},
        "references.json": {"schema": "bookworm.novella.references/1", "references": references},
    }
    files = {root / "gold" / name: _json(content) for name, content in gold.items()}
    return {root / "novella.txt": built.text, **files}


def _json(content: Mapping[str, object]) -> str:
    """JSON with one record to a line: differences stay readable and the file stays small."""
    fields = []
    for key, value in content.items():
        whole = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            whole = "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in value) + "\n]"
        fields.append(f"{json.dumps(key)}: {whole}")
    return "{\n" + ",\n".join(fields) + "\n}\n"


def stale(root: Path = HERE) -> list[Path]:
    """The built files that differ from what the source would build."""
    return [
        path
        for path, content in build(root).items()
        if not path.exists() or path.read_bytes() != content.encode("utf-8")
    ]


def write(root: Path = HERE) -> None:
    """Write every built file."""
    for path, content in build(root).items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode("utf-8"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description="Build the novella and its gold files.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a built file is stale")
    if not parser.parse_args(arguments).check:
        write()
        return 0
    old = stale()
    for path in old:
        sys.stderr.write(f"stale: {path.name}; run python -m evaluation.novella.build\n")
    return 1 if old else 0


if __name__ == "__main__":
    raise SystemExit(main())
