"""The preview of a decision equals its effect: for any decisions, on any annotations, in any order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from books.types import Book, Span
from coref.decisions.changes import AnnotationChanges, changes
from coref.decisions.log import Replayed, decided, replay, replay_on, replay_with_report
from coref.decisions.types import Decision, DecisionKind
from coref.errors import DecisionInvalid
from coref.gate import gate
from coref.types import Annotations, Doubt, Trait, TraitKind

MERGE, SPLIT, RENAME, HIDE, NARRATOR, SPEAKER, MENTION, DISMISS, UNDO = DecisionKind
WHO = st.sampled_from(["hale", "tom", "vane", "x-0000"])
NAMES = st.sampled_from(["Tom", "Tom Hale", "Edward Vane", "the lamplighter", "Mrs. Hale"])


@pytest.fixture
def doubted(annotations: Annotations) -> Annotations:
    doubts = (
        Doubt("tom", "vane", 0.4, "both are by the door"),
        Doubt("hale", "tom", 0.3, "the same surname"),
    )
    quote = annotations.quotes[1].span
    said = Trait("vane", TraitKind.IS, Span(quote.start + 1, quote.start + 10), "Edward Vane")
    return replace(annotations, doubts=doubts, traits=(said,))


def looked_at(book: Book, annotations: Annotations, decision: Decision) -> AnnotationChanges:
    after = decided(Replayed(annotations, ()), decision, (), resolved=annotations, book=book)
    return changes(annotations, after.annotations)


def named(found: AnnotationChanges) -> dict[str, tuple[str | None, str | None]]:
    return {p.id: (p.before and p.before.name, p.after and p.after.name) for p in found.people}


def test_a_merge_says_who_vanishes_and_what_goes_with_them(book: Book, doubted: Annotations) -> None:
    found = looked_at(book, doubted, Decision(1, MERGE, character="hale", other="tom"))
    assert named(found) == {"hale": ("Mrs. Hale",) * 2, "tom": ("Tom", None)}
    assert (found.mentions, found.quotes) == (2, 0)
    assert {(h.was and h.was.id, h.becomes and h.becomes.id) for h in found.handed} == {("tom", "hale")}
    assert [(one.id, other.id) for one, other in found.doubts_gone] == [("hale", "tom")]
    assert found.doubts_back == (), "the doubt about Tom and Vane is one about Mrs. Hale and Vane now"


def test_a_speaker_says_which_quote_and_whose_i(book: Book, doubted: Annotations) -> None:
    where = doubted.quotes[1].span
    found = looked_at(book, doubted, Decision(1, SPEAKER, character="tom", spans=(where,)))
    assert [(h.span, h.quote) for h in found.handed][-1] == (where, True)
    assert (found.mentions, found.quotes) == (1, 1)
    tom = next(p for p in found.people if p.id == "tom")
    assert tom.before is not None
    assert tom.after is not None
    assert (tom.before.quotes, tom.after.quotes) == (0, 1)


def test_a_trait_in_a_quote_goes_with_its_speaker(book: Book, doubted: Annotations) -> None:
    where = doubted.quotes[1].span
    spoken, unknown = (
        replay(doubted, book, [Decision(1, SPEAKER, character=who, spans=(where,))]) for who in ("tom", None)
    )
    assert [t.character for t in spoken.traits] == ["tom"]
    assert unknown.traits == ()


def test_a_rename_a_narrator_and_a_dismissal(book: Book, doubted: Annotations) -> None:
    renamed = looked_at(book, doubted, Decision(1, RENAME, character="tom", name="Thomas"))
    assert (named(renamed), renamed.handed) == ({"tom": ("Tom", "Thomas")}, ())
    told = looked_at(book, doubted, Decision(1, NARRATOR, character="tom"))
    assert told.narrator_before is None
    assert told.narrator_after is not None
    assert (told.narrator_after.id, told.mentions) == ("tom", 2)
    settled = looked_at(book, doubted, Decision(1, DISMISS, character="tom", other="vane"))
    assert [(one.id, other.id) for one, other in settled.doubts_gone] == [("tom", "vane")]
    assert settled.people == ()


def test_an_undo_brings_back(book: Book, doubted: Annotations) -> None:
    log = [Decision(1, HIDE, character="tom")]
    hidden = replay(doubted, book, log)
    undo = Decision(2, UNDO, undoes=1)
    after = decided(Replayed(hidden, ()), undo, log, resolved=doubted, book=book)
    back = changes(hidden, after.annotations)
    assert named(back) == {"tom": (None, "Tom")}
    assert len(back.doubts_back) == 2


def test_behind_the_gate_later_names_are_not_told(book: Book, doubted: Annotations) -> None:
    after = replay(doubted, book, [Decision(1, MERGE, character="tom", other="vane")])
    early = book.chapters[0].span.end
    found = changes(gate(doubted, upto=early), gate(after, upto=early))
    told = {name for pair in named(found).values() for name in pair}
    assert "the lamplighter" in told
    assert "Edward Vane" not in told


@st.composite
def wanted(draw: st.DrawFn) -> Decision:
    quotes = (Span(41, 55), Span(134, 153))
    return Decision(
        0,
        draw(st.sampled_from(DecisionKind)),
        draw(st.none() | WHO),
        draw(WHO),
        draw(st.just("X")),
        tuple(draw(st.lists(NAMES, max_size=2))),
        tuple(draw(st.lists(st.sampled_from(quotes), max_size=2))),
        draw(st.integers(1, 4)),
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(wanted(), min_size=1, max_size=6))
def test_a_step_is_what_replaying_all_gives(book: Book, doubted: Annotations, given: list[Decision]) -> None:
    """The reassigned mentions and quotes add up to the difference of all counts."""
    state = Replayed(doubted, ())
    log: list[Decision] = []
    quotes = [q.span for q in doubted.quotes]
    for decision in given:
        spans = tuple(quotes[s.start > 100] for s in decision.spans)
        made = replace(decision, number=len(log) + 1, spans=spans)
        try:
            after = decided(state, made, log, resolved=doubted, book=book)
        except DecisionInvalid:
            continue
        log.append(made)
        assert after == replay_with_report(doubted, book, log)
        for done in range(len(log) + 1):
            so_far = replay_with_report(doubted, book, log[:done])
            assert replay_on(so_far, log, done=done, resolved=doubted, book=book) == after
        found = changes(state.annotations, after.annotations)
        for person in found.people:
            before, now = (c.mentions if c else 0 for c in (person.before, person.after))
            came = sum(
                h.becomes is not None and h.becomes.id == person.id for h in found.handed if not h.quote
            )
            went = sum(h.was is not None and h.was.id == person.id for h in found.handed if not h.quote)
            assert now - before == came - went
        state = after
