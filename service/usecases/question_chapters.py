"""The chapters that a reader's question names, and what it asks about them."""

from __future__ import annotations

from collections.abc import Sequence

from books.shape.headings.headings import claims_of_title
from books.types import Chapter, ParagraphKind, has_words
from coref.types import Character
from generation.story.named_people import asks_what_happens
from retrieval.asking.chapters import AskedChapters, asked_chapters
from retrieval.asking.titles import TitledChapter, titled_chapters_in
from retrieval.types import AnsweringPlace, EventSentence
from service.errors import ChapterUnknown
from service.shelf import View


def asked_view(view: View, question: str) -> View:
    """Return the book up to the chapter by whose end the question asks, if it does.

    Raises ChapterUnknown if none of the chapters that it names is there.
    """
    asked = _asked(view, question)
    if asked is None:
        return view
    there = len(view.book.chapters)
    if not any(1 <= number <= there for number in asked.numbers):
        raise _no_such_chapter(view, asked.numbers[-1])
    return view.before(view.book.end_of_chapter(asked.numbers[-1])) if asked.until else view


def places_for(
    view: View, question: str, people: Sequence[Character], *, read: bool = True
) -> tuple[AnsweringPlace, ...]:
    """Return the places that may answer a question about some people, of the chapters that it names."""
    asked = _asked(view, question)
    if asked is None:
        return view.answering(question, people, read=read)
    chapters = None if asked.until else [number - 1 for number in asked.numbers]
    return view.answering(asked.rest or question, people, chapters=chapters, read=read)


def events_for(view: View, question: str, people: Sequence[Character]) -> tuple[EventSentence, ...]:
    """Return the sentences that tell what happens in the chapters that a question names, if it asks that."""
    asked = _asked(view, question)
    if asked is None or people or not asks_what_happens(asked.rest):
        return ()
    return tuple(each for each in view.events() if asked.until or each.chapter + 1 in asked.numbers)


def remarks_on_chapters(view: View, question: str) -> tuple[str, ...]:
    """Return which chapters a question means, if it can be misunderstood, and that some are not there."""
    titled = titled_chapters(view, question)
    remarks = [f"“{each.span.of(question)}” was taken for {_counted(each)}." for each in titled]
    asked = _asked_by_number(view, question, titled)
    if asked is None:
        return ()
    there = [chapter for chapter in view.book.chapters if chapter.number in asked.numbers]
    other = [chapter for chapter in there if not titled and _numbered_otherwise(chapter)]
    remarks += [f"Chapter {each.number} of the book has the heading “{each.title}”." for each in other[-1:]]
    if asked.numbers[-1] > len(view.book.chapters):
        remarks.append(f"{_there(view)}.")
    return tuple(remarks)


def _numbered_otherwise(chapter: Chapter) -> bool:
    """Whether the heading of a chapter has a number, and not the one by which chapters are counted here."""
    claims = claims_of_title(chapter.title)
    numbers = {claim.number for claim in claims if claim.tight or not claim.rest}
    return bool(numbers) and chapter.number not in numbers


def _asked(view: View, question: str) -> AskedChapters | None:
    """Return the chapters that a question names. The last one is the last that has been read."""
    return _asked_by_number(view, question, titled_chapters(view, question))


def _asked_by_number(view: View, question: str, titled: Sequence[TitledChapter]) -> AskedChapters | None:
    for each in reversed(titled):
        question = f"{question[: each.span.start]}{_counted(each)}{question[each.span.end :]}"
    return asked_chapters(question, len(view.book.chapters))


def titled_chapters(view: View, question: str) -> list[TitledChapter]:
    """Return the chapters that a question names by their titles, and not a place or a person of that name.

    It does if words like “in” lead up to it, and it is in quotation marks or nowhere in the text; or if the
    question asks what happens there.
    """
    titles = tuple(chapter.title for chapter in view.book.chapters)
    found = titled_chapters_in(question, titles)
    return [each for each in found if _is_title(view, question, each)]


def _is_title(view: View, question: str, named: TitledChapter) -> bool:
    title = named.span.of(question)
    if title.casefold() == view.book.title.casefold():
        return False
    if named.led and (named.quoted or (named.capitals and not _in_text(view, title))):
        return True
    if not (named.quoted or title[0].isupper() or question.islower()):
        return False
    asked = _asked_by_number(view, question, [named])
    return asked is not None and asks_what_happens(asked.rest)


def _in_text(view: View, words: str) -> bool:
    text = view.book.text
    told = (part for part in view.book.paragraphs if part.kind is not ParagraphKind.HEADING)
    return words in text and any(has_words(part.span.of(text), words) for part in told)


def _counted(named: TitledChapter) -> str:
    return f"{'chapter' if len(named.numbers) == 1 else 'chapters'} {' and '.join(map(str, named.numbers))}"


def _no_such_chapter(view: View, number: int) -> ChapterUnknown:
    if view.upto is None:
        return ChapterUnknown(f"There is no chapter {number}. {_there(view)}.")
    # Not that there is none: perhaps there is.
    return ChapterUnknown(
        f"You have not read chapter {number}. {_there(view)}.",
        remedy="Ask about a chapter that you have read, or say that you have read on.",
    )


def _there(view: View) -> str:
    count = len(view.book.chapters)
    seen = "The book has" if view.upto is None else "You have read"
    return f"{seen} {count} {'chapter' if count == 1 else 'chapters'}"


def mentioned_in_chapters(view: View, question: str) -> frozenset[str] | None:
    """Return the ids of those who are mentioned in the chapters that a question names, if it does."""
    asked = _asked(view, question)
    if asked is None or asked.until:
        return None
    spans = [chapter.span for chapter in view.book.chapters if chapter.number in asked.numbers]
    return frozenset(
        mention.character
        for mention in view.annotations.mentions
        if mention.character is not None and any(span.covers(mention.span) for span in spans)
    )
