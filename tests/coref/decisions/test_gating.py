"""Who turn out to be one are two people for whoever has not read that far."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluation.novella as novella
from books.reading import read
from books.types import Book, Span
from coref.census import recount
from coref.decisions.gating import first_said, gated, ids_until_named, known_by
from coref.decisions.log import decided, replay, replay_with_report
from coref.decisions.types import Decision, DecisionKind
from coref.errors import DecisionInvalid
from coref.gate import gate
from coref.types import Annotations, Character, CharacterKind, Doubt, Mention, MentionKind, Quote
from tests.generation.novel import story


def _never(name: str) -> int:
    """Where a book says a name that it never says."""
    return -1


@cache
def hand_read() -> tuple[Book, Annotations, Decision, Annotations]:
    """The novella, its people before the secret is out, the merge of the gold that tells it, and then."""
    book, gold = read(novella.path().read_bytes()), novella.gold()
    names = {a.text: c.id for c in gold.characters for a in c.aliases if not a.spoiler}
    longest_first = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    mentions = tuple(
        Mention(Span(m.start(), m.end()), MentionKind.PROPER, names[m[0]], m[0])
        for m in re.finditer(rf"\b(?:{longest_first})(?!\w)", book.text)
    )
    quotes = tuple(Quote(Span(q.start, q.end), q.speaker, q.addressee, 1.0) for q in gold.quotes)
    cast = [Character(c.id, c.name, (), CharacterKind.PERSON, c.pronouns, 0, 0) for c in gold.characters]
    told = Annotations("hand/1", recount(cast, mentions), mentions, quotes)
    ((other, known),) = [(c.id, c.revealed_as) for c in gold.characters if c.revealed_as]
    chapter = book.chapters[known.chapter - 1].span
    merge = Decision(1, DecisionKind.MERGE, known.character, other, spans=(chapter,))
    return book, told, merge, replay(told, book, [merge])


@given(data=st.data())
def test_until_it_is_revealed_the_novella_is_as_without_the_merge(data: st.DataObject) -> None:
    book, told, merge, merged = hand_read()
    ends = [c.span.end for c in book.chapters]
    assert (merge.character, merge.other, merge.revealed) == ("dunnock", "quarles", ends[13])
    upto = data.draw(st.sampled_from(ends) | st.integers(0, len(book.text)))
    seen = gated(merged, [merge], said=_never, replayed=partial(replay, told, book), upto=upto)
    assert seen == gate(told if upto < merge.revealed else merged, upto=upto)
    assert gated(merged, [merge], said=_never, replayed=partial(replay, told, book), upto=None) is merged
    if upto in ends[2:]:
        assert (seen.character("quarles") is None) == (upto >= ends[13])


@pytest.fixture
def masked() -> tuple[Book, Annotations]:
    book, told = story(
        "# One\n\n[The Mask|mask] bowed. [Ann Hale|ann] met [the Mask|mask], and [he|mask] left"
        " with [Tom|tom].\n\n"
        "# Two\n\n[Ann|ann] took off the mask.\n\n# Three\n\n[Ann|ann] left [Tom|tom].\n",
        mask="The Mask/he",
        ann="Ann Hale/she",
        tom="Tom/he",
    )
    return book, replace(told, doubts=(Doubt("ann", "mask", 0.6, "so it seems"),))


def merge(book: Book, number: int = 1) -> Decision:
    return Decision(number, DecisionKind.MERGE, "ann", "mask", spans=(book.chapters[1].span,))


def seen(masked: tuple[Book, Annotations], chapter: int, *log: Decision) -> dict[str, tuple[str, int]]:
    """The id, name and mentions of everybody when the chapter has been read."""
    book, told = masked
    upto = book.chapters[chapter - 1].span.end
    said, replayed = partial(first_said, book.text), partial(replay, told, book)
    found = gated(replay(told, book, log), log, said=said, replayed=replayed, upto=upto)
    return {c.id: (c.name, c.mention_count) for c in found.characters}


def test_whether_they_are_one_is_no_question_any_more(masked: tuple[Book, Annotations]) -> None:
    book, told = masked
    log = [merge(book)]
    for end in (c.span.end for c in book.chapters):
        assert (
            gated(
                replay(told, book, log), log, said=_never, replayed=partial(replay, told, book), upto=end
            ).doubts
            == ()
        )


def test_an_undone_merge_is_no_secret_and_one_without_a_place_neither(
    masked: tuple[Book, Annotations],
) -> None:
    log = (merge(masked[0]), Decision(2, DecisionKind.UNDO, undoes=1))
    assert seen(masked, 3, *log)["mask"] == ("The Mask", 3)
    open_merge = replace(merge(masked[0]), spans=())
    assert seen(masked, 1, open_merge) == {"ann": ("Ann Hale", 4), "tom": ("Tom", 1)}


def test_what_only_the_one_can_have_waits(masked: tuple[Book, Annotations]) -> None:
    rename = Decision(2, DecisionKind.RENAME, "tom", name="Ann, the Mask")
    log = (merge(masked[0]), Decision(2, DecisionKind.MERGE, "tom", "ann"), replace(rename, number=3))
    assert seen(masked, 1, *log) == {"mask": ("The Mask", 3), "tom": ("Tom", 2)}
    assert seen(masked, 2, *log) == {"tom": ("Ann, the Mask", 6)}


def test_a_later_mention_is_taken_from_whichever_has_it(masked: tuple[Book, Annotations]) -> None:
    book = masked[0]
    at = book.text.index("he left")
    log = (merge(book), Decision(2, DecisionKind.MENTION, "tom", "ann", spans=(Span(at, at + 2),)))
    assert seen(masked, 1, *log) == {"mask": ("The Mask", 2), "tom": ("Tom", 2), "ann": ("Ann Hale", 1)}
    assert seen(masked, 3, *log) == {"ann": ("Ann Hale", 5), "tom": ("Tom", 3)}


def test_who_has_not_read_that_far_decides_about_the_two(masked: tuple[Book, Annotations]) -> None:
    book, told = masked
    at = book.text.index("he left")
    taken = Decision(2, DecisionKind.MENTION, "tom", "mask", spans=(Span(at, at + 2),))
    back = replace(taken, number=3, character="mask", other="tom")
    log = (merge(book), taken)
    assert seen(masked, 1, *log)["mask"] == ("The Mask", 2)
    assert seen(masked, 3, *log) == {"ann": ("Ann Hale", 5), "tom": ("Tom", 3)}
    after = decided(replay_with_report(told, book, log), back, log, resolved=told, book=book)
    assert after.annotations == replay(told, book, (*log, back)) == replay(told, book, log[:1])
    rename = Decision(3, DecisionKind.RENAME, "mask", name="The Stranger")
    with pytest.raises(DecisionInvalid, match="was merged"):
        decided(after, rename, log, resolved=told, book=book)


def test_of_what_does_not_fit_the_two_nothing_happens(masked: tuple[Book, Annotations]) -> None:
    book = masked[0]
    split = Decision(2, DecisionKind.SPLIT, "ann", name="Sir Guy", aliases=("The Mask",))
    log = (merge(book), split, Decision(3, DecisionKind.HIDE, "sir-guy"))
    assert known_by(log, 0, _never)[0].kind is DecisionKind.DISMISS
    assert seen(masked, 1, *log) == seen(masked, 1)


BEGGAR = """# One

[The Beggar|beggar] tapped past the pew. [Tom|tom] saw [the old man|beggar] pass.

# Two

[The Beggar|beggar] was called Pew, or Black
Dog O’Hara.
"""


def begging(chapter: int, *log: Decision) -> dict[str, tuple[str, int]]:
    people = {"beggar": "The Beggar/he", "tom": "Tom/he"}
    return seen(story(BEGGAR, **people), chapter, *log)


@pytest.mark.parametrize("name", ["Pew", "the old Pew", "Black Dog", "Tom O'Hara"])
def test_a_name_that_the_book_says_later_is_not_known_before(name: str) -> None:
    rename = Decision(1, DecisionKind.RENAME, "beggar", name=name)
    assert begging(1, rename)["beggar"][0] == "The Beggar"
    assert begging(2, rename)["beggar"][0] == name


@pytest.mark.parametrize("name", ["Miss Pym", "Old Tom", "the pew"])
def test_a_name_that_the_book_has_said_or_never_says_is_known_at_once(name: str) -> None:
    rename = Decision(1, DecisionKind.RENAME, "beggar", name=name)
    assert begging(1, rename)["beggar"][0] == name


@pytest.mark.parametrize(("aliases", "until_then"), [(("the old man",), "the old man"), ((), "someone")])
def test_somebody_new_has_another_name_and_id_until_the_book_says_theirs(
    aliases: tuple[str, ...], until_then: str
) -> None:
    book, _ = story(BEGGAR, beggar="The Beggar", tom="Tom")
    at = book.text.index("the old man")
    spans = () if aliases else (Span(at, at + len("the old man")),)
    new = Decision(1, DecisionKind.MENTION, None, "beggar", "Pew", aliases, spans)
    hide = Decision(2, DecisionKind.HIDE, next(key for key in begging(2, new) if key.startswith("pew-")))
    (early,) = begging(1, new).keys() - {"beggar", "tom"}
    assert begging(1, new)[early] == (until_then, 1)
    assert ids_until_named([new])[early] == hide.character
    assert begging(1, new, hide).keys() == {"beggar", "tom"}
