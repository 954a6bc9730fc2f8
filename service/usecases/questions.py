"""The people whom a reader's question is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from books.languages import CHINESE, identify, name_of
from books.types import Span, has_words
from coref.lookup import displayed_with, find, fitting, near_names
from coref.types import Character, MentionKind
from generation.story.cast import cast_of
from generation.story.named_people import PRONOUN, agrees, is_description
from generation.story.statements import relatives
from generation.story.ties.relation_words import asked_for
from generation.types import NamedSpan
from service.shelf import View
from service.usecases.characters import met
from service.usecases.question_chapters import mentioned_in_chapters, titled_chapters

QUESTION_MOST: Final = 500
"""Maximum length of a question in characters."""
MOST_OF: Final = 2 / 3
"""Share of the mentions of all people of a name from which the name in a question means one of them.

Often the others are the same person, before or after a wedding."""

_OTHERS: Final = 4
"""Number of other bearers of a name that are told."""
_SELDOM: Final = 0.05
"""Share of somebody's mentions from which one with more names than that is told, too."""
_ALIKE: Final = 0.75
"""How alike a name must be that may have been meant."""
_INITIAL: Final = re.compile(r"(?<![\w'’])\w")
_OWNED: Final = re.compile(
    r"(?:(?<=\bher)|(?<=\bhis)|(?<=\btheir)|['’]s?)\s+([\w-]+)(?:\s+([\w-]+))?", re.IGNORECASE
)
_CAPITALISED: Final = re.compile(r"\b[A-Z][a-z]\w+")
_NAME_BEFORE: Final = re.compile(r"\b([A-Z]\w+)\s+$")
_NAME_AFTER: Final = re.compile(r"^\s+([A-Z]\w+)")
_SMALL_BEFORE: Final = re.compile(r"\w\s+[a-z]+\s+$")
_FEW_WORDS: Final = 3
"""From so many words the language of a question shows: 4 of 2,864 English ones seem to be in another."""


def remarks_on_language(question: str) -> tuple[str, ...]:
    """Return that a question is in a language in which none is understood, if its words show that."""
    code = identify(question, few=_FEW_WORDS)
    if code in (None, "en", CHINESE):
        return ()
    return (f"The question seems to be in {name_of(code)}. Ask in English or Chinese.",)


def people_in(view: View, question: str, meant: Sequence[str]) -> tuple[Character, ...]:
    """Return the people named in a question, and those whom its pronouns mean, as in a conversation.

    “Her brother” means somebody, too, if it is certain who that is. If there is neither a name nor a pronoun,
    all that are meant. A name of several people means the one among those meant, or of those in a chapter
    that is named the one with most of the mentions. Raises CharacterAmbiguous if there is none.
    """
    said = _said_in(view, question, meant)
    people = [person for span, one in said for person in (one, *_relatives(view, question, span, one)[1])]
    return tuple(dict.fromkeys(people) or (met(view, name) for name in meant))


def remarks_on_relatives(view: View, question: str, meant: Sequence[str]) -> tuple[str, ...]:
    """Return who “her brother” is, if the question has such words and it is certain."""
    remarks: dict[str, None] = {}
    for span, person in _said_in(view, question, meant):
        words, found = _relatives(view, question, span, person)
        if found:
            remarks[f"“{words}” was taken for {', '.join(one.name for one in found)}."] = None
    return tuple(remarks)


def _said_in(view: View, question: str, meant: Sequence[str]) -> list[tuple[Span, Character]]:
    """Return the names and the pronouns of a question, with whom they mean, in order."""
    known = {person.id: person for person in (met(view, name) for name in meant)}
    there = mentioned_in_chapters(view, question)
    question, named = _named_in(view, question)
    said = [(each.span, _named(view, each.span.of(question), each.character, known, there)) for each in named]
    for pronoun in PRONOUN.finditer(question):
        before = [one for span, one in said if span.start < pronoun.start() and agrees(pronoun[0], one)]
        fit = before[-1:] or [one for one in known.values() if agrees(pronoun[0], one)]
        said += ((Span(*pronoun.span()), one) for one in fit)
    return sorted(said, key=lambda each: each[0].start)


def _relatives(view: View, question: str, span: Span, owner: Character) -> tuple[str, list[Character]]:
    """Return words that begin with an owner, like “her elder brother”, and whom they certainly mean."""
    owned = _OWNED.match(question, span.end)
    if owned is None:
        return "", []
    for n in (1, 2):
        called = asked_for(owned[n] or "")
        if called is not None and not _CAPITALISED.match(question, owned.end(n) + 1):
            ties = relatives(cast_of(view.book, view.annotations), owner.id, called)
            found = [view.annotations.character(who) for who in dict.fromkeys(tie.subject for tie in ties)]
            return question[span.start : owned.end(n)], [person for person in found if person is not None]
    return "", []


def _named_in(view: View, question: str) -> tuple[str, Sequence[NamedSpan]]:
    """Return the question with its names. One without capitals gets them, but for the book's small words."""
    names = cast_of(view.book, view.annotations).names_in_questions
    titles = [each.span for each in titled_chapters(view, question)]

    def find(asked: str) -> list[NamedSpan]:
        whole = names.find(asked)
        every = sorted((*whole, *_parts(view, asked, whole)), key=lambda each: each.span)
        return [each for each in every if not any(title.covers(each.span) for title in titles)]

    found = [each for each in find(question) if not _elsewhere(view, question, each)]
    if found or question != question.lower():
        return question, found
    capitals = _INITIAL.sub(lambda initial: initial[0].upper(), question)
    named = find(capitals)
    return capitals, [each for each in named if not has_words(view.book.text, each.span.of(question))]


def _parts(view: View, question: str, whole: Sequence[NamedSpan]) -> Iterator[NamedSpan]:
    """Yield each word that the book has only in one person's names, as “Jocelyn” in “Jocelyn Leigh”."""
    for word in _CAPITALISED.finditer(question):
        if any(named.span.start <= word.start() < named.span.end for named in whole):
            continue
        fit = fitting(view.annotations, word[0])
        if len(fit) != 1 or not _is_alone(view, question, word, fit[0]):
            continue
        if _share_in_names(view, word[0], fit[0]) >= MOST_OF:
            yield NamedSpan(Span(*word.span()), fit[0].id)


def _is_alone(view: View, question: str, word: re.Match[str], person: Character) -> bool:
    """Whether no name stands beside a word that is not the person's: “Jocelyn Percy” is somebody else."""
    theirs = {part for text in (person.name, *(a.text for a in person.aliases)) for part in text.split()}
    beside = (*_NAME_BEFORE.findall(question[: word.start()]), *_NAME_AFTER.findall(question[word.end() :]))
    return all(other in theirs or has_words(view.book.text, other.lower()) for other in beside)


def _share_in_names(view: View, word: str, person: Character) -> float:
    """Return in what share of its places a word is somebody's name, or the beginning of one.

    In “Vicar of Blackstable” the last word is the name of a town.
    """
    text = view.book.text
    places = [found.start() for found in re.finditer(rf"\b{re.escape(word)}\b", text)]
    theirs = {
        at
        for mention in view.annotations.mentions
        if mention.character == person.id and mention.kind is MentionKind.PROPER
        for at in range(mention.span.start, mention.span.end)
        if not _SMALL_BEFORE.search(text[mention.span.start : at])
    }
    return sum(at in theirs for at in places) / max(1, len(places))


def _elsewhere(view: View, question: str, named: NamedSpan) -> bool:
    """Whether a name like “the old man” means nobody in the chapters that the question names."""
    name, there = named.span.of(question), mentioned_in_chapters(view, question)
    fit = fitting(view.annotations, name) if is_description(name) else []
    return there is not None and bool(fit) and not any(person.id in there for person in fit)


def _in_book(view: View, word: str) -> bool:
    return any(has_words(view.book.text, form) for form in (word, word.lower(), word.upper()))


def remarks_on_names(view: View, question: str, people: Sequence[Character]) -> tuple[str, ...]:
    """Return who else has a name, which names are like one that the book lacks, and that “he” is nobody."""
    remarks: dict[str, None] = {}
    question, named = _named_in(view, question)
    if not people and (pronoun := PRONOUN.search(question)):
        remarks[f"Whom “{pronoun[0]}” means is not known. Ask with a name."] = None
    for word in _CAPITALISED.findall(question):
        near = near_names(view.annotations, word, alike=_ALIKE) if not _in_book(view, word) else []
        if near:
            where = "The book" if view.upto is None else "The part of the book that was searched"
            remarks[f"{where} does not have “{word}”. Near names: {', '.join(near)}."] = None
    for each in named:
        name = each.span.of(question)
        bearers, longer = fitting(view.annotations, name), displayed_with(view.annotations, name)
        who = [person for person in (*bearers, *longer) if person in people]
        least = _SELDOM * max((person.mention_count for person in who), default=0)
        bearers += [person for person in longer if person.mention_count >= least and person not in bearers]
        others = [person.name for person in bearers if person not in people][:_OTHERS]
        if who and (others or (is_description(name) and name != who[0].name)):
            have = f" {', '.join(others)} {'has' if len(others) == 1 else 'have'} that name, too."
            remarks[f"“{name}” was taken for {who[0].name}.{have if others else ''}"] = None
    return tuple(remarks)


def _named(
    view: View, name: str, likeliest: str, meant: dict[str, Character], there: frozenset[str] | None
) -> Character:
    every = fitting(view.annotations, name)
    fit = [person for person in every if there and person.id in there] or every
    if not fit:
        return met(view, likeliest)
    mentions = sum(person.mention_count for person in fit)
    chosen = [person for person in fit if person.id in meant]
    chosen += [person for person in fit if person.mention_count >= MOST_OF * mentions]
    return chosen[0] if chosen else find(view.annotations, name)  # raises: it means none of them
