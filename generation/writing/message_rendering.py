"""Render a prompt as messages. A passage's number is always its position among the prompt's passages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from coref.types import Character
from generation.models.prompt_quoting import quoted, quoted_name
from generation.models.types import Message, MessageRole
from generation.phrases import phrase
from generation.story.cast import CastIndex, cast_of
from generation.story.heard_passages import speakers_in
from generation.types import STORIES, AnswerLanguage, Prompt, Task
from generation.writing.person_notes import PersonNote, notes_on
from generation.writing.templating import TemplatePiece, Templates

HEADING = "## "
CAST = 24
"""Most people in a cast list."""
ALIASES = 4
"""Most further names of each person, the most used first."""
_PIECES = {
    Task.DESCRIPTION: TemplatePiece.DESCRIPTION,
    Task.ANALYSIS: TemplatePiece.ANALYSIS,
    Task.JOINT: TemplatePiece.JOINT,
    Task.SUMMARY: TemplatePiece.STORY,
    Task.RECAP: TemplatePiece.RECAP,
    Task.QUESTION: TemplatePiece.QUESTION,
}
_STRETCHES = {Task.ANALYSIS: TemplatePiece.ANALYSIS_STRETCH}
_MERGES = {
    Task.DESCRIPTION: TemplatePiece.DESCRIPTION_MERGE,
    Task.ANALYSIS: TemplatePiece.ANALYSIS_MERGE,
}
_MATERIAL = (TemplatePiece.PASSAGES, TemplatePiece.PARTS, TemplatePiece.SUMMARY, TemplatePiece.NOTHING)
_STORY = (TemplatePiece.CHUNK, TemplatePiece.MERGE, TemplatePiece.UPDATE, TemplatePiece.COMPRESS)
_SOMEBODY = "Somebody with a name of some length"
_TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)
_EMPTY_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True)
class MessageSheet:
    """Renders the parts of the messages for one prompt."""

    prompt: Prompt
    templates: Templates

    def messages(
        self,
        material: str,
        task: str,
        *,
        shown: Sequence[int] | None = None,
        part: Sequence[int] | None = None,
    ) -> tuple[Message, ...]:
        """Return the messages, material first and task last: models follow the end best, and beginnings can
        be shared. Notes go with the passages that are shown; None if there are other materials.

        The cast list has the people in the passages of `part`, as the book names them up to there, so that
        the messages stay the same when the reader reads on; None for the whole cast.
        """
        parts = {
            "material": material,
            "task": task,
            "cast": self._cast(part) if self.prompt.cast_list else "",
            "notes": "" if shown is None else self._notes(shown),
        }
        return _joined(self.templates, self.fill(TemplatePiece.SYSTEM) + self._about_names, parts)

    def line(self, number: int) -> str:
        """Return a passage as a line, with its number among the prompt's passages."""
        passage = self.prompt.passages[number - 1]
        speakers = speakers_in(passage.span, self._index, so_far=self.prompt.task in STORIES)
        names = [quoted_name(name) for name in speakers]
        return self.templates.fill(
            TemplatePiece.LINE,
            {
                "number": str(number),
                "chapter": str(passage.chapter + 1),
                "speaking": self._said("speaks" if len(names) == 1 else "speak", names=self._listed(names))
                if names
                else "",
                "text": quoted(passage.text),
            },
        )

    def passages(self, numbers: Sequence[int]) -> str:
        """Return the passages with these numbers. A number does not change when others are left out."""
        lines = [self.line(n) for n in numbers]
        return self.fill(TemplatePiece.PASSAGES, passages="\n".join(lines) or self._said("no passage"))

    def parts(self, parts: Sequence[str]) -> str:
        """Return the texts about stretches. A model wrote them, so they are trusted no more than the book."""
        return self.fill(TemplatePiece.PARTS, parts=self._parts(parts))

    def merging(self, parts: Sequence[str], task: str, words: int) -> tuple[Message, ...]:
        """Return the messages that merge texts about stretches, by the set's own piece or by the task."""
        piece = self._own(_MERGES)
        if piece is None:
            return self.messages(self.parts(parts), task)
        return self.messages("", self._about(piece, words, self.prompt.context.people, self._parts(parts)))

    def before(self, text: str) -> str:
        """Return a summary of what comes before."""
        return self.fill(TemplatePiece.BEFORE, before=_keeping_numbers(text))

    def summary(self) -> str:
        return self.fill(TemplatePiece.SUMMARY, summary=quoted(self.prompt.summary or ""))

    def nothing(self) -> str:
        return self.fill(TemplatePiece.NOTHING)

    def task(self, words: int, people: Sequence[Character] | None = None) -> str:
        asked = self.prompt.context.people if people is None else people
        if self.prompt.task in STORIES:
            return self.fill(_PIECES[self.prompt.task], words=str(words), scope=self._scope)
        if self.prompt.task is Task.QUESTION:
            asked_for = quoted(self.prompt.question or "")
            unsaid = self._said("unsaid")
            return self.fill(TemplatePiece.QUESTION, question=asked_for, words=str(words), unsaid=unsaid)
        if self.prompt.task is Task.JOINT:
            return self.fill(
                TemplatePiece.JOINT,
                names="\n".join(f"{HEADING}{quoted_name(c.name)}" for c in asked),
                list=", ".join(quoted_name(c.name) for c in asked),
                count=str(len(asked)),
                words=str(words),
                called=self._called(asked),
            )
        return self._about(_PIECES[self.prompt.task], words, asked)

    def of_length(self, had: int, words: int) -> str:
        """Return what to say after a first attempt of the wrong length."""
        return self._said("of length", had=had, words=words)

    @property
    def instructions(self) -> str:
        """All instructions outside the book's text, which a model may repeat instead of answering."""
        others = _STORY if self.prompt.task in STORIES else (TemplatePiece.STRETCH,)
        own = filter(None, (self._own(_STRETCHES), self._own(_MERGES)))
        pieces = (TemplatePiece.SYSTEM, *_MATERIAL, _PIECES[self.prompt.task], *others, *own)
        return "\n".join(self.templates.pieces[piece] for piece in pieces)

    @property
    def wants_headings(self) -> bool:
        """Whether the template asks for headings in this text. A replaced template may not."""
        asked = self.templates.pieces[_PIECES[self.prompt.task]]
        return self.prompt.task is Task.ANALYSIS and HEADING in asked

    @property
    def _scope(self) -> str:
        """What a summary is of."""
        if self.prompt.chapter is not None:
            return self._said("scope chapter", chapter=self.prompt.chapter + 1)
        return self._said("scope all" if self.prompt.context.upto is None else "scope read")

    def stretch(self, words: int) -> str:
        piece = self._own(_STRETCHES) or TemplatePiece.STRETCH
        return self._about(piece, words, self.prompt.context.people)

    @property
    def stretch_task(self) -> Task:
        """What a text about one stretch is: a description, unless the set asks for another."""
        return self.prompt.task if self._own(_STRETCHES) else Task.DESCRIPTION

    def _own(self, pieces: Mapping[Task, TemplatePiece]) -> TemplatePiece | None:
        """Return the piece of the prompt's task, if the set has it."""
        piece = pieces.get(self.prompt.task)
        return piece if piece in self.templates.pieces else None

    def _about(self, piece: TemplatePiece, words: int, people: Sequence[Character], parts: str = "") -> str:
        called = self._called(people)
        return self.fill(piece, name=self._names(people), words=str(words), called=called, parts=parts)

    def _parts(self, parts: Sequence[str]) -> str:
        return "\n".join(self._part(at, _keeping_numbers(part)) for at, part in enumerate(parts, start=1))

    def _part(self, number: int, text: str) -> str:
        if TemplatePiece.PART in self.templates.pieces:
            return self.fill(TemplatePiece.PART, number=str(number), text=text)
        return self._said("stretch", number=number, text=text)

    def _notes(self, shown: Sequence[int]) -> str:
        """Return the notes that fit, with the numbers of those passages among the shown ones that say it."""
        numbers = {n: self.prompt.passages[n - 1].span for n in shown}
        lines: list[str] = []
        for note in self._known:
            found = (n for n, span in numbers.items() if span.covers(note.place.span))
            number = next(found, None)
            if number is not None or note.certain:
                lines.append(f"- {quoted(note.text)}{f' [{number}]' if number else ''}")
        if not lines:
            return ""
        return self.fill(
            TemplatePiece.NOTES, name=self._names(self.prompt.context.people), notes="\n".join(lines)
        )

    @cached_property
    def _known(self) -> tuple[PersonNote, ...]:
        return notes_on(self.prompt)

    def _cast(self, part: Sequence[int] | None) -> str:
        """Return the cast list. The annotations are cut at the gate, and so are the names in them."""
        people = self.prompt.context.annotations.characters if part is None else self._people_in(part)
        people = people[:CAST]
        if not people:
            return ""
        lines = [f"- {quoted_name(c.name)}{self._aliases(c, 'also called')}" for c in people]
        names = ", ".join(quoted_name(c.name) for c in people)
        return self.fill(TemplatePiece.CAST, cast="\n".join(lines), names=names)

    def _people_in(self, part: Sequence[int]) -> Sequence[Character]:
        """Return the people in these passages, the most often named first, with the names used so far."""
        cast, spans = self._index, [self.prompt.passages[n - 1].span for n in part]
        found = dict.fromkeys(standing.character for span in spans for standing in cast.standing_in(span))
        end = max((span.end for span in spans), default=0)
        known = (cast.as_of(cast.by_id[who], end) for who in found)
        return sorted((c for c in known if c is not None), key=lambda c: -c.mention_count)

    @property
    def _index(self) -> CastIndex:
        return cast_of(self.prompt.context.book, self.prompt.context.annotations)

    def fill(self, piece: TemplatePiece, **values: str) -> str:
        title = quoted_name(self.prompt.context.book.title)
        return _TRAILING.sub("", self.templates.fill(piece, {"title": title, **values}))

    def _said(self, key: str, **values: object) -> str:
        return phrase(self.prompt.language, key, **values)

    @property
    def _about_names(self) -> str:
        """Return how to write the names, if the novel is in another language, or else which characters."""
        novel, language = AnswerLanguage.of(self.prompt.context.book), self.prompt.language
        return self._said("script" if novel.spoken == language.spoken else "foreign")

    def _names(self, people: Sequence[Character]) -> str:
        return self._listed([quoted_name(c.name) for c in people])

    def _listed(self, names: Sequence[str]) -> str:
        *most, last = names
        if self.prompt.language.is_chinese:
            return self._said("between names").join(names)
        return f"{', '.join(most)} and {last}" if most else last

    def _called(self, people: Sequence[Character]) -> str:
        return " ".join(text for text in (self._aliases(c, "aliases") for c in people) if text)

    def _aliases(self, character: Character, key: str) -> str:
        others = [quoted_name(a.text) for a in character.aliases if a.text != character.name][:ALIASES]
        if not others:
            return ""
        names = self._said("between names").join(others)
        return self._said(key, name=quoted_name(character.name), names=names)


def outline(task: Task, *, templates: Templates, words: int, people: int) -> tuple[Message, ...]:
    """Return messages without material, with a placeholder name, to measure what the instructions take."""
    values = dict.fromkeys(("title", "name", "called"), _SOMEBODY) | {
        "words": str(words),
        "scope": "the novel as far as it is given",
        "count": str(people),
        "names": "\n".join([f"{HEADING}{_SOMEBODY}"] * people),
        "list": ", ".join([_SOMEBODY] * people),
        "question": "What did somebody do to somebody else, where and when was it, and why did they do it?",
        "unsaid": phrase(AnswerLanguage.ENGLISH, "unsaid"),
        "passages": "",
    }
    parts = {
        "material": templates.fill(TemplatePiece.PASSAGES, values),
        "task": templates.fill(_PIECES[task], values),
        "cast": "",
        "notes": "",
    }
    return _joined(templates, templates.fill(TemplatePiece.SYSTEM, values), parts)


def _joined(templates: Templates, system: str, parts: Mapping[str, str]) -> tuple[Message, ...]:
    user = _EMPTY_LINES.sub("\n\n", templates.fill(TemplatePiece.MESSAGE, parts)).strip()
    told = (Message(MessageRole.SYSTEM, system), Message(MessageRole.USER, user))
    return told if system else told[1:]


def _keeping_numbers(part: str) -> str:
    """Quote a text but restore its markers, which `quoted` would break."""
    return re.sub("([\\[])\u200b(?=\\d+(?:, \\d+)*\\])", r"\1", quoted(part))
