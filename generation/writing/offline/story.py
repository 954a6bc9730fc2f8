"""The story offline: the book's own sentences that tell what happens, in story order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from books.types import Span, count_words
from coref.types import Character
from generation.phrases import in_marks, phrase, space, spelt
from generation.story.cast import CastIndex, cast_of
from generation.story.people_near import people_near
from generation.story.profile import about, who_of
from generation.story.quotation import UNKNOWN
from generation.story.quotations import quotations, speaker, speech, tagged, words_of
from generation.story.selection import good
from generation.types import AnswerLanguage, Citation, Prompt, Sentence
from generation.writing.offline.sentences import capitalised, headed
from retrieval.types import EventSentence, TellingSentence

_LEAST: Final = 3
_MOST: Final = 6
"""Number of sentences of a chapter that is summarised alone."""
_LAST: Final = 4
"""Number of sentences about the chapter where the reader has stopped."""
_SO_FAR: Final = 0.5
"""Share of a recap's words for the chapters before that one."""


def summary(prompt: Prompt, words: int) -> list[Sentence]:
    """Return a chapter in a few sentences, or the main sentences of the book under the titles of chapters."""
    cast = cast_of(prompt.context.book, prompt.context.annotations)
    if prompt.chapter is not None:
        inside = [event for event in prompt.events if event.chapter == prompt.chapter]
        return [
            told(event.span, event.chapter, cast, prompt.language)
            for event in _all_along(inside, words, cast, least=_LEAST, most=_MOST)
        ]
    return _by_chapter(_all_along(prompt.events, words, cast), cast, prompt.language)


def chapters(prompt: Prompt, words: int) -> list[Sentence]:
    """Return what happens in the chapters that a question is about, under their titles."""
    cast = cast_of(prompt.context.book, prompt.context.annotations)
    if len({event.chapter for event in prompt.events}) > 1:
        chosen = _all_along(prompt.events, words, cast)
    else:
        chosen = _within(prompt.events, words, cast, least=_LEAST, most=_MOST)
    return _by_chapter(chosen, cast, prompt.language)


def recap(prompt: Prompt, words: int) -> list[Sentence]:
    """Return what has happened, where the reader has stopped, and who the people there are."""
    cast = cast_of(prompt.context.book, prompt.context.annotations)
    last = max(prompt.events, key=lambda event: event.stretch, default=None)
    before = [event for event in prompt.events if last and event.stretch < last.stretch]
    there = [event for event in prompt.events if last and event.stretch == last.stretch]
    language = prompt.language
    # The number of the only chapter would be said of each.
    quoted = placed if len({event.chapter for event in prompt.events}) > 1 else told
    far = [
        quoted(event.span, event.chapter, cast, language)
        for event in _all_along(before, int(_SO_FAR * words), cast)
    ]
    near = [
        told(event.span, event.chapter, cast, language)
        for event in _within(there, words // 3, cast, least=_LAST, most=_LAST)
    ]
    shown = [citation.span for sentence in (*far, *near) for citation in sentence.citations]
    people: list[Sentence] = []
    for who in who_is_who(prompt, people_near(prompt.context)):
        if not _quotes(who):
            people.append(who)
        elif not any(citation.span.overlaps(span) for citation in who.citations for span in shown):
            people.append(who)
            shown += [citation.span for citation in who.citations]
    return [
        *headed(far, phrase(language, "so far")),
        *headed(near, phrase(language, "stopped", chapter=last.chapter + 1 if last else 1)),
        *headed(people, phrase(language, "who is who")),
    ]


def _quotes(who: Sentence) -> bool:
    """Whether a line quotes the book. A relation has no quotation marks."""
    return any(in_marks("", language)[0] in who.text for language in AnswerLanguage)


def told(
    sentence: Span, chapter: int, cast: CastIndex, language: AnswerLanguage, *, whole: bool = False
) -> Sentence:
    """Return a sentence of the book as a quotation, with the names of those that its pronouns mean."""
    text, span = words_of(sentence, cast, named=True, whole=whole)
    who = speaker(speech(span, cast), cast)
    speaking = [who] if who else []
    people = tuple(dict.fromkeys((*speaking, *(s.character for s in cast.standing_in(span)))))
    said = _said(text, span, cast, language)
    return Sentence(said, (Citation(span, chapter),), characters=people, remark=True, line=True)


def placed(
    sentence: Span,
    chapter: int,
    cast: CastIndex,
    language: AnswerLanguage,
    *,
    whole: bool = False,
    where: str | None = None,
) -> Sentence:
    """Return the same with words for its place, by default the number of its chapter."""
    quoted = told(sentence, chapter, cast, language, whole=whole)
    where = where or phrase(language, "chapter", chapter=chapter + 1)
    return replace(quoted, text=phrase(language, "who", name=where, who=quoted.text))


def _said(text: str, span: Span, cast: CastIndex, language: AnswerLanguage) -> str:
    """Return the words of a span in quotation marks: speech with who says it, or in marks of its own."""
    spoken = speech(span, cast)
    if spoken is None or tagged(span, cast):
        return in_marks(text, language)
    who = speaker(spoken, cast)
    if who in (None, UNKNOWN):
        return in_marks(text if text.startswith("‘") else f"‘{text}’", language)
    name = spelt(capitalised(cast.by_id[str(who)].name), language)
    return f"{phrase(language, 'says', name=name)}{space(language)}{in_marks(text, language)}"


def _all_along(
    events: Sequence[EventSentence], words: int, cast: CastIndex, *, least: int = 1, most: int | None = None
) -> Sequence[EventSentence]:
    """Return the main sentences of as many stretches as there are words for, from all parts of the story."""
    main = sorted((event for event in events if event.rank == 0), key=lambda event: event.span)
    fitting = len(main) * words // max(1, sum(count_words(words_of(e.span, cast)[0]) for e in main))
    parts = max(least, min(fitting, most or fitting))
    if parts >= len(main):
        return _within(events, words, cast, least=least, most=most)
    cuts = [len(main) * n // parts for n in range(parts + 1)]
    best = [max(main[a:b], key=lambda event: event.score) for a, b in pairwise(cuts)]
    return _within(best, words, cast, least=least, most=most)


def _within(
    events: Iterable[EventSentence], words: int, cast: CastIndex, *, least: int = 1, most: int | None = None
) -> Sequence[EventSentence]:
    """Return the sentences that tell most, as far as there are words: each stretch's first one first."""
    chosen: list[EventSentence] = []
    said: set[str] = set()
    for event in sorted(events, key=lambda e: (e.rank, -e.score, e.span)):
        text = words_of(event.span, cast)[0]
        length = count_words(text)
        if most is not None and len(chosen) == most:
            break
        if text in said:
            continue
        if length > words and len(chosen) >= least:
            break
        chosen.append(event)
        said.add(text)
        words -= length
    return sorted(chosen, key=lambda e: e.span)


def _by_chapter(events: Sequence[EventSentence], cast: CastIndex, language: AnswerLanguage) -> list[Sentence]:
    made: list[Sentence] = []
    for n, event in enumerate(events):
        first = n == 0 or events[n - 1].chapter != event.chapter
        heading = _title(event.chapter, cast, language) if first else None
        made.append(replace(told(event.span, event.chapter, cast, language), heading=heading))
    return made


def _title(chapter: int, cast: CastIndex, language: AnswerLanguage) -> str:
    title = cast.book.chapters[chapter].title.strip()
    return title or phrase(language, "chapter", chapter=chapter + 1)


def who_is_who(prompt: Prompt, people: Iterable[Character]) -> list[Sentence]:
    """Return a line about each of them: who they are, or else what the book says of them that tells most."""
    made: list[Sentence] = []
    for person in people:
        mine = [s for s in prompt.telling if s.character == person.id]
        who = who_of(prompt.context, person, mine)
        name = spelt(capitalised(person.name), prompt.language)
        if who.text.rstrip(".") not in ("", name):
            text = phrase(prompt.language, "who", name=name, who=who.text)
            made.append(Sentence(text, who.places, characters=(person.id,), remark=True, line=True))
        elif not who.text and (line := _telling_most(prompt, person, mine)) is not None:
            made.append(line)
    return made


def _telling_most(prompt: Prompt, person: Character, mine: Iterable[TellingSentence]) -> Sentence | None:
    """Return the quotation that tells most of somebody, one of their own only if there is no other."""
    cast = cast_of(prompt.context.book, prompt.context.annotations)
    said = (q for q in about(quotations(mine, cast), person) if good(q))
    most = max(said, key=lambda q: (not q.own, q.worth), default=None)
    if most is None:
        return None
    name = spelt(capitalised(person.name), prompt.language)
    if most.own and not most.tagged:
        says = phrase(prompt.language, "says", name=name)
        text = f"{says}{space(prompt.language)}{in_marks(most.text, prompt.language)}"
    else:
        quoted = _said(most.text, most.citation.span, cast, prompt.language)
        text = phrase(prompt.language, "who", name=name, who=quoted)
    return Sentence(text, (most.citation,), characters=(person.id,), remark=True, line=True)
