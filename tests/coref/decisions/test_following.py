"""Tellers, merges, doubts and traits follow their characters through decisions and through the gate."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Book, Span
from coref.census import recount
from coref.decisions.applying import BY_READER
from coref.decisions.log import check, replay
from coref.decisions.types import Decision, DecisionKind
from coref.errors import DecisionInvalid
from coref.gate import gate
from coref.types import Annotations, Doubt, Merge, Teller, Trait, TraitKind

MERGE, SPLIT, RENAME, HIDE, NARRATOR, SPEAKER, MENTION, DISMISS, UNDO = DecisionKind


def at(book: Book, words: str) -> Span:
    start = book.text.index(words)
    return Span(start, start + len(words))


@pytest.fixture
def told(book: Book, annotations: Annotations) -> Annotations:
    """Mrs. Hale opened and laughed at him, Tom waved; is Tom the lamplighter, who turns out to be Vane?"""

    def trait(who: str, words: str, lemma: str, other: str | None = None) -> Trait:
        kind = TraitKind.UNDERGOES if words == "laughed at" and who == "vane" else TraitKind.DOES
        return Trait(who, kind, at(book, words), lemma, other)

    first = book.chapters[0].span
    return replace(
        annotations,
        tellers=(Teller(Span(first.start, len(book.text)), "tom"),),
        merges=(
            Merge("tom", "Tom", "Tom Hale", 0.9, "the same given name"),
            Merge("vane", "the lamplighter", "Edward Vane", 0.8, "he says so"),
        ),
        doubts=(
            Doubt("tom", "vane", 0.4, "both are by the door", at=1),
            Doubt("hale", "tom", 0.3, "the same surname", at=1),
            Doubt("vane", "hale", 0.2, "Vane may be a maiden name", at=1),
        ),
        traits=(
            trait("hale", "opened", "open"),
            trait("tom", "waved", "wave", "vane"),
            trait("vane", "am Edward Vane", "Edward Vane"),
            trait("vane", "laughed at", "laugh at", "hale"),
            trait("hale", "laughed at", "laugh at", "vane"),
        ),
    )


def lemmas(annotations: Annotations, character: str) -> list[str]:
    return [t.lemma for t in annotations.traits if t.character == character]


def pairs(annotations: Annotations) -> list[tuple[str, str]]:
    return [(d.one, d.other) for d in annotations.doubts]


def meaning(annotations: Annotations, words: dict[str, str]) -> Annotations:
    """Return annotations in which some words refer to other people."""
    mentions = tuple(replace(m, character=words.get(m.surface, m.character)) for m in annotations.mentions)
    return replace(annotations, mentions=mentions, characters=recount(annotations.characters, mentions))


# Decisions


def test_a_merge_takes_everything_along(book: Book, told: Annotations) -> None:
    after = replay(told, book, [Decision(1, MERGE, character="vane", other="tom")])
    assert lemmas(after, "vane") == ["wave", "Edward Vane", "laugh at"]
    assert lemmas(after, "tom") == []
    assert after.traits[1].other is None, "nobody waves to himself"
    assert [t.character for t in after.tellers] == ["vane"]
    assert {m.character for m in after.merges} == {"vane"}
    assert after.merges[-1] == Merge("vane", "Edward Vane", "Tom", 1.0, BY_READER)


def test_who_is_one_person_is_so_after_a_merge_too(book: Book, told: Annotations) -> None:
    log = (Decision(1, DISMISS, character="vane"), Decision(2, MERGE, character="tom", other="vane"))
    assert replay(told, book, log).confirmed == {"tom"}
    assert not replay(told, book, (log[0], Decision(2, HIDE, character="vane"))).confirmed


def test_a_merge_decides_the_doubt_and_joins_the_others(book: Book, told: Annotations) -> None:
    after = replay(told, book, [Decision(1, MERGE, character="vane", other="tom")])
    assert pairs(after) == [("hale", "vane")]
    assert after.doubts[0].confidence == 0.3, "the likelier of the two"


def test_an_undone_merge_brings_the_doubt_back(book: Book, told: Annotations) -> None:
    merge = Decision(1, MERGE, character="vane", other="tom")
    assert replay(told, book, [merge, Decision(2, UNDO, undoes=1)]) == told


def test_a_split_takes_what_was_said_beside_its_mentions(book: Book, told: Annotations) -> None:
    split = Decision(1, SPLIT, character="vane", name="Vane", aliases=("Edward Vane",))
    after = replay(told, book, [split])
    new = next(c.id for c in after.characters if c.name == "Vane")
    assert lemmas(after, new) == ["Edward Vane"]
    assert lemmas(after, "vane") == ["laugh at"]
    assert after.traits[1].other == "vane", "Tom waved beside the lamplighter"
    assert [m.character for m in after.merges] == ["tom"], "the reader has parted the other two names"


def test_a_split_of_both_names_takes_their_merge(book: Book, told: Annotations) -> None:
    split = Decision(1, SPLIT, character="tom", name="Thomas", aliases=("Tom", "Tom Hale"))
    whole = meaning(told, {"I": "tom", "me": "tom"})
    after = replay(whole, book, [split])
    new = next(c.id for c in after.characters if c.name == "Thomas")
    assert [m.character for m in after.merges] == [new, "vane"]


def test_a_part_goes_to_whoever_tells_most_of_it(book: Book, told: Annotations) -> None:
    told = replace(told, tellers=(Teller(book.chapters[1].span, "vane"),))
    early = Decision(1, SPLIT, character="vane", name="X", spans=(at(book, "the lamplighter. Tom"),))
    first = next(m.span for m in told.mentions if m.surface == "the lamplighter")
    assert [t.character for t in replay(told, book, [replace(early, spans=(first,))]).tellers] == ["vane"]
    spans = tuple(m.span for m in told.mentions if m.character == "vane" and m.span != first)
    late = replay(told, book, [replace(early, spans=spans)])
    assert [t.character for t in late.tellers] == [next(c.id for c in late.characters if c.name == "X")]


def test_hiding_hides_all_of_it(book: Book, told: Annotations) -> None:
    after = replay(told, book, [Decision(1, HIDE, character="tom")])
    assert after.tellers == ()
    assert [m.character for m in after.merges] == ["vane"]
    assert pairs(after) == [("vane", "hale")]
    assert "tom" not in {x for t in after.traits for x in (t.character, t.other)}


def test_a_new_narrator_takes_what_the_old_one_did(book: Book, told: Annotations) -> None:
    saw = Trait("tom", TraitKind.DOES, at(book, "saw"), "see", "vane")
    mine = tuple(replace(m, character="tom") if m.surface == "me" else m for m in told.mentions)
    mine = tuple(replace(m, character="tom") if m.span == at(book, "I") else m for m in mine)
    before = replace(told, mentions=mine, traits=(saw, *told.traits), narrator="tom")
    after = replay(before, book, [Decision(1, NARRATOR, character="hale")])
    assert lemmas(after, "hale")[0] == "see"
    assert [t.character for t in after.tellers] == ["hale"]
    assert lemmas(after, "tom") == ["wave"]


def test_an_old_narrator_who_is_nobody_else_is_gone_altogether(book: Book, told: Annotations) -> None:
    """Somebody who only said "I" was the new narrator all the time."""
    inside = told.quotes[1].span
    outside = replace(told, mentions=tuple(m for m in told.mentions if not inside.covers(m.span)))
    before = meaning(outside, {"I": "tom", "me": "tom", "Tom": "hale", "Tom Hale": "hale"})
    after = replay(before, book, [Decision(1, NARRATOR, character="hale")])
    assert {c.id for c in after.characters} == {"hale", "vane"}
    assert {t.character for t in after.traits} == {"hale", "vane"}
    assert pairs(after) == [("hale", "vane")]


def test_a_dismissed_doubt_is_gone_until_that_is_undone(book: Book, told: Annotations) -> None:
    dismiss = Decision(1, DISMISS, character="vane", other="tom")
    after = replay(told, book, [dismiss])
    assert pairs(after) == [("hale", "tom"), ("vane", "hale")]
    assert replace(after, doubts=told.doubts) == told, "nothing else has changed"
    assert replay(told, book, [dismiss, Decision(2, UNDO, undoes=1)]) == told


def test_a_dismissal_holds_over_a_new_run_of_the_resolver(book: Book, told: Annotations) -> None:
    again = replace(told, doubts=(Doubt("vane", "tom", 0.7, "they are never seen together"),))
    assert replay(again, book, [Decision(1, DISMISS, character="tom", other="vane")]).doubts == ()


@pytest.mark.parametrize(
    "decision",
    [
        Decision(2, DISMISS, character="tom", other="nobody"),
        Decision(2, DISMISS, character="tom", other="tom"),
    ],
)
def test_only_a_doubt_can_be_dismissed(told: Annotations, decision: Decision) -> None:
    with pytest.raises(DecisionInvalid):
        check(told, decision, [])


def test_what_is_dismissed_already_is_no_doubt(book: Book, told: Annotations) -> None:
    dismiss = Decision(1, DISMISS, character="vane", other="tom")
    check(told, dismiss, [])
    with pytest.raises(DecisionInvalid, match="no doubt"):
        check(replay(told, book, [dismiss]), replace(dismiss, number=2), [dismiss])


def test_a_new_name_changes_nothing_else(book: Book, told: Annotations) -> None:
    after = replay(told, book, [Decision(1, RENAME, character="tom", name="Thomas")])
    assert replace(after, characters=told.characters) == told


# The gate


def test_at_the_end_everything_is_there(book: Book, told: Annotations) -> None:
    assert gate(told, upto=len(book.text)) == told


def test_what_is_told_later_is_not_there(book: Book, told: Annotations) -> None:
    seen = gate(told, upto=book.chapters[0].span.end)
    assert [t.lemma for t in seen.traits] == ["open", "wave"]
    assert [(t.character, t.span.end) for t in seen.tellers] == [("tom", book.chapters[0].span.end)]
    assert [m.character for m in seen.merges] == ["tom"], "Edward Vane is a name of later"
    assert len(pairs(seen)) == 3
    assert not any("Vane" in doubt.evidence for doubt in seen.doubts), "and so is the evidence that says Vane"


def test_people_of_later_are_at_no_other_end(book: Book, told: Annotations) -> None:
    upto = at(book, "Tom waved").end
    nameless = replace(told, mentions=tuple(m for m in told.mentions if m.surface != "the lamplighter"))
    seen = gate(nameless, upto=upto)
    assert [(t.lemma, t.other) for t in seen.traits] == [("open", None), ("wave", None)]
    assert pairs(seen) == [("hale", "tom")]


def test_a_teller_waits_for_their_part_and_for_their_name(book: Book, told: Annotations) -> None:
    second = replace(told, tellers=(Teller(book.chapters[1].span, "tom"),))
    assert gate(second, upto=book.chapters[0].span.end).tellers == ()
    assert gate(told, upto=at(book, "opened").end).tellers == ()


def test_what_came_to_light_later_waits(book: Book, told: Annotations) -> None:
    upto = book.chapters[0].span.end
    late = replace(
        told,
        merges=tuple(replace(m, at=upto + 1) for m in told.merges),
        doubts=(replace(told.doubts[0], at=upto), replace(told.doubts[1], at=upto + 1)),
    )
    seen = gate(late, upto=upto)
    assert seen.merges == ()
    assert pairs(seen) == [("tom", "vane")]
