"""The card of a character as Markdown, with its sources as footnotes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coref.export.tables import escaped, plain_block
from generation.phrases import in_marks
from generation.types import AnswerLanguage
from service.shelf import View
from service.wire.answers import CitationOut
from service.wire.markdown import Footnotes, beginning, finished
from service.wire.profiles import ProfileOut, sections, speaker_of, warnings


def profile_markdown(told: ProfileOut, *, view: View) -> str:
    notes, language = Footnotes(), AnswerLanguage.of(view.book)
    names = told.names

    def marked(text: str, sources: Iterable[CitationOut]) -> str:
        marks = (notes.mark((c.span.start, c.span.end), chapter=c.chapter, words=c.quote) for c in sources)
        return plain_block(f"{escaped(text)}{''.join(marks)}")

    blocks = beginning(told.character.name, view=view)
    if told.who:
        blocks.append(marked(told.who, told.who_citations))
    blocks += [plain_block(escaped(line)) for line in warnings(told)]
    ties = [
        marked(f"{tie.predicate} of {names.get(tie.other, tie.other)}", tie.citations) for tie in told.ties
    ]
    blocks += _part("Relationships", ties)
    for head, quotations in sections(told):
        lines = [
            marked(f"{speaker_of(q, names)}{in_marks(q.text, language)}", [q.citation]) for q in quotations
        ]
        blocks += _part(head, lines)
    said = f"text {view.book.sha256[:12]}, resolver {view.annotations.resolver}, {view.decisions} corrections"
    return finished(blocks, notes, made_by=said)


def _part(head: str, lines: Sequence[str]) -> list[str]:
    return [f"## {head}", "\n".join(f"- {line}" for line in lines)] if lines else []
