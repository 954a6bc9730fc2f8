"""A correction stays with whom it was about when another resolver gives their id to somebody else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from books.types import Book, Span
from coref.census import recount
from coref.decisions.log import former_names, replay, replay_with_report
from coref.decisions.types import Decision, DecisionKind, Sighting
from coref.decisions.whom import PLACES, Recognition, of_today, sighted, sighting
from coref.types import Annotations, Character, Mention, MentionKind
from tests.coref.conftest import person


def decided(annotations: Annotations, kind: DecisionKind, who: str, **given: str) -> Decision:
    made = Decision(1, kind, who, **given)  # type: ignore[arg-type]
    return replace(made, sightings=sighted(annotations, made))


def read_anew(annotations: Annotations, ids: Mapping[str, str], names: Mapping[str, str]) -> Annotations:
    """The same mentions, of people with other ids: by each old id the new one, and the names."""
    mentions = tuple(replace(m, character=ids.get(m.character or "")) for m in annotations.mentions)
    people = [person(key, name) for key, name in names.items()]
    return replace(annotations, characters=recount(people, mentions), mentions=mentions, quotes=())


@pytest.fixture
def swapped(annotations: Annotations) -> Annotations:
    """The id of Tom is Mrs. Hale's now, who has the name by which the book first calls them."""
    return read_anew(
        annotations,
        {"hale": "tom", "tom": "young", "vane": "vane"},
        {"tom": "Mrs. Hale", "young": "Thomas", "vane": "Edward Vane"},
    )


def test_a_correction_follows_the_person_and_not_the_id(
    book: Book, annotations: Annotations, swapped: Annotations
) -> None:
    renamed = decided(annotations, DecisionKind.RENAME, "tom", name="Tommy")
    assert {c.name for c in replay(swapped, book, [renamed]).characters} == {"Tommy", "Thomas", "Edward Vane"}
    log = of_today([renamed], swapped)
    assert [d.character for d in log] == ["young"]
    after = replay(swapped, book, log)
    assert {c.id: c.name for c in after.characters} == {
        "tom": "Mrs. Hale",
        "young": "Tommy",
        "vane": "Edward Vane",
    }


def test_the_log_is_as_it_was_for_the_annotations_that_it_was_made_on(annotations: Annotations) -> None:
    merge = Decision(1, DecisionKind.MERGE, "hale", "vane")
    log = (replace(merge, sightings=sighted(annotations, merge)), Decision(2, DecisionKind.HIDE, "tom"))
    assert {seen.character for seen in log[0].sightings} == {"hale", "vane"}
    assert of_today(log, annotations) == log


def test_a_correction_without_sightings_goes_by_its_id(swapped: Annotations) -> None:
    log = (Decision(1, DecisionKind.RENAME, "tom", name="Tommy"),)
    assert of_today(log, swapped) == log


def test_without_whom_it_is_about_it_has_no_effect(book: Book, annotations: Annotations) -> None:
    """Tom is in nobody's place, and nobody has his name; his id is somebody else's."""
    hidden = decided(annotations, DecisionKind.HIDE, "tom")
    gone = read_anew(
        annotations, {"hale": "tom", "vane": "vane"}, {"tom": "Mrs. Hale", "vane": "Edward Vane"}
    )
    log = of_today([hidden], gone)
    found = replay_with_report(gone, book, log)
    assert found.annotations.characters == gone.characters
    assert [skipped.decision.number for skipped in found.skipped] == [1]
    assert former_names(gone, log)[log[0].character or ""] == "Tom", "the list of corrections has the name"


def test_who_is_a_small_part_of_somebody_now_is_not_changed(annotations: Annotations) -> None:
    """But who speaks somewhere is still told: that is the whole person."""
    often = tuple(
        Mention(Span(10_000 + at, 10_003 + at), MentionKind.PROPER, "hale", "Ada") for at in range(0, 50, 5)
    )
    more = replace(annotations, mentions=(*annotations.mentions, *often))
    joined = read_anew(
        more, {"hale": "hale", "tom": "hale", "vane": "vane"}, {"hale": "Ada Hale", "vane": "Edward Vane"}
    )
    for kind in (DecisionKind.RENAME, DecisionKind.HIDE, DecisionKind.SPLIT, DecisionKind.MERGE):
        (found,) = of_today([decided(annotations, kind, "tom", name="Tommy")], joined)
        assert joined.character(found.character or "") is None
    (spoken,) = of_today([decided(annotations, DecisionKind.SPEAKER, "tom")], joined)
    assert spoken.character == "hale"


def test_a_name_tells_who_it_is_when_the_places_do_not(annotations: Annotations) -> None:
    seen = sighting_of(annotations, the(annotations, "tom"))
    moved = replace(seen, places=(Span(90_000, 90_003),))
    found = Recognition(annotations).find(moved)
    assert found is not None
    assert found.id == "tom"
    assert Recognition(annotations).find(replace(moved, name="Thomas")) is None


def test_a_title_more_or_less_is_the_same_place(annotations: Annotations) -> None:
    seen = sighting_of(annotations, the(annotations, "hale"))
    shorter = replace(seen, name="", places=tuple(Span(s.start + 5, s.end) for s in seen.places))
    found = Recognition(annotations).find(shorter)
    assert found is not None
    assert found.id == "hale"


@pytest.fixture
def told(annotations: Annotations) -> Annotations:
    """With a narrator, who is called by no name."""
    mentions = tuple(
        replace(m, character="i") if m.character is None and m.kind is MentionKind.PRONOUN else m
        for m in annotations.mentions
    )
    people = (*annotations.characters, person("i", "the narrator"))
    return replace(annotations, characters=people, mentions=mentions)


def test_who_has_no_name_is_known_by_the_pronouns(told: Annotations) -> None:
    hidden = decided(told, DecisionKind.HIDE, "i")
    assert [(seen.named, seen.count) for seen in hidden.sightings] == [(False, 2)]
    anew = read_anew(told, {"i": "teller", "hale": "hale"}, {"teller": "Ned", "hale": "Mrs. Hale"})
    assert [d.character for d in of_today([hidden], anew)] == ["teller"]


def test_who_has_no_name_is_not_removed_with_somebody_who_has_many_pronouns(told: Annotations) -> None:
    """They have few names, but it is the pronouns that are compared."""
    hidden = decided(told, DecisionKind.HIDE, "i")
    ids = {"i": "tom", "tom": "tom", "hale": "tom"}
    (found,) = of_today([hidden], read_anew(told, ids, {"tom": "Tom"}))
    assert found.character != "tom"


def test_mentions_within_mentions_are_told_apart(book: Book, annotations: Annotations) -> None:
    """“Mr. and Mrs. Weston” ends where “Mrs. Weston” does."""
    spans = [(Span(at, at + 19), Span(at + 8, at + 19)) for at in range(0, 90, 30)]
    mentions = [
        Mention(span, MentionKind.PROPER, who, "")
        for both in spans
        for span, who in zip(both, ("westons", "mrs"), strict=True)
    ]
    people = [person("westons", "the Westons"), person("mrs", "Mrs. Weston")]
    two = replace(annotations, characters=recount(people, mentions), mentions=tuple(mentions), quotes=())
    for kind in (DecisionKind.HIDE, DecisionKind.SPEAKER):
        log = [decided(two, kind, who) for who in ("westons", "mrs")]
        assert of_today(log, two) == tuple(log)
        swapped = {"westons": "x-1", "mrs": "x-2"}
        anew = read_anew(two, swapped, {"x-1": "Both", "x-2": "Anne"})
        assert [d.character for d in of_today(log, anew)] == ["x-1", "x-2"]


@pytest.mark.parametrize("kind", [DecisionKind.RENAME, DecisionKind.HIDE, DecisionKind.SPEAKER])
def test_everybody_is_recognised_in_the_annotations_that_they_are_in(
    told: Annotations, kind: DecisionKind
) -> None:
    log = [decided(told, kind, one.id) for one in told.characters]
    assert of_today(log, told) == tuple(log)


def test_who_keeps_the_id_and_most_places_may_have_grown(annotations: Annotations) -> None:
    """As when the resolver now joins two whom a reader had merged."""
    renamed = decided(annotations, DecisionKind.RENAME, "tom", name="Tommy")
    often = tuple(Mention(Span(9_000 + at, 9_003 + at), MentionKind.PROPER, "tom", "Ned") for at in range(90))
    grown = replace(annotations, mentions=(*annotations.mentions, *often))
    anew = read_anew(grown, {"tom": "tom", "hale": "hale"}, {"tom": "Ned", "hale": "Mrs. Hale"})
    assert [d.character for d in of_today([renamed], anew)] == ["tom"]


def test_few_places_of_a_main_person_are_kept_spread_over_the_book(annotations: Annotations) -> None:
    mentions = tuple(
        Mention(Span(at, at + 3), MentionKind.PROPER, "tom", "Tom") for at in range(0, 10_000, 10)
    )
    seen = sighting_of(replace(annotations, mentions=mentions), the(annotations, "tom"))
    assert (seen.count, len(seen.places)) == (1_000, PLACES)
    assert seen.places[-1].start > 9_000


def the(annotations: Annotations, key: str) -> Character:
    found = annotations.character(key)
    assert found is not None
    return found


def sighting_of(annotations: Annotations, character: Character) -> Sighting:
    return sighting(character, annotations.mentions_of(character.id))
